import { expect, test } from 'vitest'
import { render } from '../../../runtime/node/smtp/render.ts'
import { submissionWhenUsed } from '../../../runtime/node/submission-when-used.ts'
import { bytesOf, outgoing } from '../../support/submitting.ts'

test('what loads later renders the same, and closing loads nothing', async () => {
  const submission = submissionWhenUsed()
  await submission.close()
  const [now, later] = [render(outgoing()), submission.render(outgoing())]
  expect(await bytesOf(later)).toEqual(await bytesOf(now))
  expect(await later.traits?.()).toEqual(await now.traits?.())
  await submission.close()
})
