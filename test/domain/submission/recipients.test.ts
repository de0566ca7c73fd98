import { expect, test } from 'vitest'
import { recipients } from '../../../domain/submission/recipients.ts'

const thousand = (name: string) => ({
  to: Array.from({ length: 1_000 }, (_, index) => `${name} <user${index}@example.org>`),
  cc: [],
  bcc: [],
})

test('a thousand recipients with names are taken', () => {
  expect(recipients(thousand('Augusta Ada King Countess of Lovelace')).to.at(-1)).toEqual({
    name: 'Augusta Ada King Countess of Lovelace',
    address: 'user999@example.org',
  })
})

test('a thousand recipients with long names are refused, all fields together', () => {
  const { to } = thousand('a'.repeat(900))
  const message = 'to: the recipients in to, cc and bcc have at most 131072 characters in all.'
  expect(() => recipients({ to, cc: [], bcc: [] })).toThrow(message)
  expect(() =>
    recipients({ to: to.slice(0, 100), cc: to.slice(100, 200), bcc: to.slice(200, 300) }),
  ).toThrow(message)
})
