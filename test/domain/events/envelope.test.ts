import { expect, test } from 'vitest'
import { envelopeText } from '../../../domain/events/envelope.ts'

test('has four fields, in this order, and keeps the order of the data', () => {
  const data = { z: 1, a: 'Grüße "💌"', message_id: undefined }
  const createdAt = Date.parse('2026-03-01T12:00:00.123Z')
  expect(envelopeText('dlv_1', { kind: 'message.received', createdAt, data })).toBe(
    '{"id":"dlv_1","event":"message.received","created_at":"2026-03-01T12:00:00.123Z",' +
      '"data":{"z":1,"a":"Grüße \\"💌\\""}}',
  )
})
