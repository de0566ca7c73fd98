import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { signatureHeader } from '../../../domain/webhooks/signature.ts'

const SECRET = 'whsec_0123456789abcdef'
const body = new TextEncoder().encode('{"id":"dlv_1","data":{"subject":"Grüße 💌"}}')

/** The verifier of another company's library, which has the same scheme. */
const verify = (raw: Uint8Array, header: string, secret = SECRET) =>
  Stripe.webhooks.constructEvent(Buffer.from(raw), header, secret)

test('foreign code takes a signed delivery', () => {
  expect(verify(body, signatureHeader(SECRET, body, new Date()))).toMatchObject({ id: 'dlv_1' })
})

test('and refuses a changed byte, another secret and an old time', () => {
  const header = signatureHeader(SECRET, body, new Date())
  const changed = Uint8Array.from(body, (byte, n) => (n === 10 ? byte ^ 1 : byte))
  expect(() => verify(changed, header)).toThrow(/signature/i)
  expect(() => verify(body, header, `${SECRET}x`)).toThrow(/signature/i)
  const old = signatureHeader(SECRET, body, new Date(Date.now() - 301_000))
  expect(() => verify(body, old)).toThrow(/timestamp/i)
})
