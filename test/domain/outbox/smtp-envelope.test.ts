import { expect, test } from 'vitest'
import { smtpEnvelopeOf } from '../../../domain/outbox/smtp-envelope.ts'
import { outgoing } from '../../support/outgoing.ts'

test('every recipient is named once, however often the message does', () => {
  const message = outgoing({
    to: [{ name: 'Bob', address: 'bob@example.net' }, { address: 'Bob@example.net' }],
    cc: [{ address: 'bob@EXAMPLE.net' }],
    bcc: [{ address: 'eve@example.net' }, { address: 'bob@example.net' }],
  })
  const { from, to } = smtpEnvelopeOf(message)
  expect(from).toBe('ada@example.org')
  expect(to.map((address) => address.replace('EXAMPLE', 'example')).toSorted()).toEqual([
    'Bob@example.net',
    'bob@example.net',
    'eve@example.net',
  ])
})
