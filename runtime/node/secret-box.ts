import type { SecretBox } from '../ports/secret-box.ts'

const FORMAT = 'v1'
/** The length GCM is made for (NIST SP 800-38D section 5.2.1.1). */
const NONCE_BYTES = 12

/** AES-256-GCM with a random nonce, as `v1.<nonce and ciphertext in base64url>`. */
export function aesSecretBox(key: Uint8Array<ArrayBuffer>): SecretBox {
  const imported = crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])

  return {
    async seal(plaintext) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      const bytes = new TextEncoder().encode(plaintext)
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await imported, bytes)
      return `${FORMAT}.${Buffer.concat([iv, Buffer.from(sealed)]).toString('base64url')}`
    },
    async open(sealed) {
      const [format, text = ''] = sealed.split('.', 2)
      if (format !== FORMAT) throw new Error('A stored secret has an unknown format.')
      const bytes = new Uint8Array(Buffer.from(text, 'base64url'))
      const iv = bytes.subarray(0, NONCE_BYTES)
      try {
        const data = bytes.subarray(NONCE_BYTES)
        const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await imported, data)
        return new TextDecoder().decode(plain)
      } catch (cause) {
        throw new Error(
          'A stored secret cannot be opened: it was sealed with another key than that of SVC_SECRET or secret.key.',
          { cause },
        )
      }
    },
  }
}
