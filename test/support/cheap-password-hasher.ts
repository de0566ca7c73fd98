import type { PasswordHasher } from '../../runtime/ports/password-hasher.ts'

/** Hashes nothing and counts how often it was asked to verify, for tests that are not about argon2id. */
export function cheapPasswordHasher(): PasswordHasher & { verifications: number } {
  const hasher = {
    verifications: 0,
    hash: async (secret: string) => `cheap:${secret}`,
    async verify(secret: string, stored: string) {
      hasher.verifications += 1
      await Promise.resolve()
      return stored === `cheap:${secret}`
    },
  }
  return hasher
}
