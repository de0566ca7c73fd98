import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { signatureHeader } from '../../../domain/webhooks/signature.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('is the HMAC of time and body, as openssl makes it', () => {
  const at = new Date('2026-03-01T12:00:00.999Z')
  // printf '%s' '1772366400.{"id":"dlv_1"}' | openssl dgst -sha256 -hmac whsec_0123456789abcdef
  expect(signatureHeader('whsec_0123456789abcdef', bytes('{"id":"dlv_1"}'), at)).toBe(
    't=1772366400,v1=f61b6c46116e397eee57911553c80e8f91850d169987797de69d61e67fc7f5f3',
  )
})

test.each([
  ['characters outside of ASCII', 'geheimnis-ä-💌-0123', 'Grüße 💌'],
  ['bytes that are no text', 'a'.repeat(16), '\u0000\uFFFF'],
  ['a secret longer than a block of the hash', 's'.repeat(300), 'x'.repeat(10_000)],
])('with %s it is what node:crypto makes of it', (_what, secret, text) => {
  const body = Buffer.concat([Buffer.from(text), Buffer.from([0, 255, 13, 10])])
  const mac = createHmac('sha256', secret).update('7.').update(body).digest('hex')
  expect(signatureHeader(secret, body, new Date(7_500))).toBe(`t=7,v1=${mac}`)
})
