import { expect, test } from 'vitest'
import { sendersOf } from '../../../../domain/drafts/adoption/senders.ts'

const OWN = 'ada@example.org'
const SALES = { name: 'Sales', address: 'sales@example.org' }

test.each([
  ['an alias stays', [SALES], SALES],
  ['so does a name', [{ name: 'Ada', address: OWN }], { name: 'Ada', address: OWN }],
  ['the own address is nothing to keep', [{ address: 'Ada@Example.org' }], null],
  ['nor are several', [SALES, { address: OWN }], null],
  ['nor is what nobody can be', [{ address: 'sales' }], null],
  ['nor nobody', [], null],
])('%s', (_, from, expected) => {
  expect(sendersOf({ from, replyTo: [] }, OWN).from).toEqual(expected)
})

test('answers go to those whom a message can name, a hundred at most', () => {
  const replyTo = [{ address: 'nobody' }, ...Array.from({ length: 120 }, () => SALES)]
  const senders = sendersOf({ from: [], replyTo }, OWN)
  expect(senders.replyTo).toHaveLength(100)
  expect(senders.replyTo[0]).toEqual(SALES)
})
