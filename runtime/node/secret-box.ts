import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SecretBox } from '../ports/secret-box.ts'

const FORMAT = 'v1'
const CIPHER = 'aes-256-gcm'
/** The length GCM is made for (NIST SP 800-38D section 5.2.1.1). */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM with a random nonce, as `v1.<nonce, ciphertext and tag in base64url>`. At once rather than in a thread: a
 * secret is short, and whoever sends a message waits for it.
 */
export function aesSecretBox(key: Uint8Array): SecretBox {
  return {
    async seal(plaintext) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      const sealed = [nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return `${FORMAT}.${Buffer.concat(sealed).toString('base64url')}`
    },
    async open(sealed) {
      const [format, text = ''] = sealed.split('.', 2)
      if (format !== FORMAT) throw new Error('A stored secret has an unknown format.')
      const bytes = Buffer.from(text, 'base64url')
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES)
        const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
        const plain = cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([plain, cipher.final()]).toString('utf8')
      } catch (cause) {
        throw new Error(
          'A stored secret cannot be opened: it was sealed with another key than that of SVC_SECRET or secret.key.',
          { cause },
        )
      }
    },
  }
}
