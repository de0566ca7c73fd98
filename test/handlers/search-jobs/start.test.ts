import { expect, test } from 'vitest'
import { harness } from '../../support/harness.ts'

const PATH = '/api/v1/messages/search'

test('202: a deep search is started, and the same while it runs is the same', async () => {
  await using h = await harness()
  const account = await h.make.account({ state: 'ok' })
  const asked = { query: 'engine', mode: 'deep', account: account.name, limit: 5 }
  const first = await h.send('POST', PATH, asked)
  expect(first.status).toBe(202)
  const job = (await first.json()) as { id: string }
  expect(job).toEqual({
    id: expect.stringMatching(/^search_/),
    status: 'running',
    query: 'engine',
    started_at: h.clock.now().toISOString(),
  })
  expect(await (await h.send('POST', PATH, asked)).json()).toEqual(job)
  expect(await (await h.get(`/api/v1/search/jobs/${job.id}`)).json()).toMatchObject(job)
})

test.each([
  [400, { query: ' \n\t', mode: 'deep' }],
  [400, { query: 'x', mode: 'deeper' }],
  [400, { query: 'x', mode: 'deep', limit: 501 }],
  [404, { query: 'x', mode: 'deep', account: 'nobody' }],
  [404, { query: 'x', mode: 'deep', folder_id: 99 }],
])('%i: %j', async (status, body) => {
  await using h = await harness()
  expect((await h.send('POST', PATH, body)).status).toBe(status)
})
