import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * The value of `X-Svc-Signature` (spec section 6): `t=<unix seconds>,v1=<hex>`, where `v1` is the HMAC-SHA256 of
 * `<t>.<raw body>` and the key is the whole secret as UTF-8.
 */
export function signatureHeader(secret: string, body: Uint8Array, at: Date): string {
  const t = Math.floor(at.getTime() / 1000)
  const mac = hmac
    .create(sha256, utf8ToBytes(secret))
    .update(utf8ToBytes(`${t}.`))
    .update(body)
  return `t=${t},v1=${bytesToHex(mac.digest())}`
}
