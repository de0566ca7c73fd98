import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { PasswordHasher } from '../../runtime/ports/password-hasher.ts'

/** Tells whether a secret matches a stored hash, and pays for the slow hash only the first time. */
export interface VerifiedSecrets {
  matches(hasher: PasswordHasher, secret: string, storedHash: string): Promise<boolean>
}

/**
 * Remembers, in this process only, which secrets matched: by their SHA-256, never in clear, and bound to the
 * stored hash, so that a changed row is verified anew. At most `capacity` of them, the least recently used
 * forgotten first. Requests that bring one secret at the same time share one run.
 */
export function verifiedSecrets(capacity: number): VerifiedSecrets {
  const matched = new Map<string, string>()
  const running = new Map<string, Promise<boolean>>()

  const remember = (digest: string, storedHash: string) => {
    matched.delete(digest)
    matched.set(digest, storedHash)
    const [oldest] = matched.keys()
    if (matched.size > capacity && oldest !== undefined) matched.delete(oldest)
  }

  const verify = async (hasher: PasswordHasher, secret: string, known: [string, string]) => {
    const [digest, storedHash] = known
    const matches = await hasher.verify(secret, storedHash)
    if (matches) remember(digest, storedHash)
    return matches
  }

  return {
    async matches(hasher, secret, storedHash) {
      const digest = bytesToHex(sha256(utf8ToBytes(secret)))
      if (matched.get(digest) === storedHash) {
        remember(digest, storedHash)
        return true
      }
      const key = `${digest} ${storedHash}`
      const run =
        running.get(key) ??
        verify(hasher, secret, [digest, storedHash]).finally(() => running.delete(key))
      running.set(key, run)
      return run
    },
  }
}
