import { simpleParser } from 'mailparser'
import { expect, test } from 'vitest'
import { forwardingMessage } from '../../../domain/forwards/forwarding-message.ts'
import { newMessageId } from '../../../domain/submission/message-id.ts'
import { render } from '../../../runtime/node/smtp/render.ts'
import { bytesOf } from '../../support/submitting.ts'

async function rendered(email: string, author: string) {
  const original = { subject: 'Offer', from: [{ name: 'Carol', address: author }] }
  const message = forwardingMessage({ email, address: 'bob@example.net', original })
  const messageIdHeader = newMessageId(message.from.address)
  const source = render({ message, messageIdHeader, dateMs: 0, attachments: [] })
  expect(await source.traits?.()).toMatchObject({ hasUtf8Header: false })
  return simpleParser(await bytesOf(source))
}

test('answers go to the author of the original', async () => {
  const { replyTo } = await rendered('ada@example.org', 'carol@example.net')
  expect(replyTo?.value).toEqual([{ name: 'Carol', address: 'carol@example.net' }])
})

test.each([
  'MAILER-DAEMON',
  '',
  'a b@example.net',
  'carol@example.net\r\nBcc: eve@example.net',
  'carol@',
  'jörg@example.net',
])('an author whose address %j no server takes everywhere keeps nothing back', async (author) => {
  const { replyTo, subject } = await rendered('ada@example.org', author)
  expect(replyTo).toBeUndefined()
  expect(subject).toBe('Fwd: Offer')
})

test('an account whose domain is not ASCII forwards too', async () => {
  const { messageId } = await rendered('ada@münchen.example', 'carol@example.net')
  expect(messageId).toMatch(/@xn--mnchen-3ya\.example>$/)
})
