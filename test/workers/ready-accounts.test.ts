import { expect, test } from 'vitest'
import { readyAccounts } from '../../workers/ready-accounts.ts'
import { fakeClock } from '../support/fake-clock.ts'

const SENT = { kind: 'sent', refused: [] } as const

test('an account is ready for some seconds after each message, until one fails', () => {
  const clock = fakeClock()
  const ready = readyAccounts({ clock })
  expect(ready.ids()).toEqual([])
  ready.note(1, SENT)
  clock.advance(5_000)
  ready.note(2, SENT)
  expect(ready.ids()).toEqual([1, 2])
  clock.advance(3_000)
  expect(ready.ids()).toEqual([2])
  ready.note(2, { kind: 'lost' })
  expect(ready.ids()).toEqual([])
})
