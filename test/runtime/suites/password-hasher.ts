import { describe, expect, test } from 'vitest'
import type { PasswordHasher } from '../../../runtime/ports/password-hasher.ts'

/** What every PasswordHasher does. */
export function passwordHasherSuite(name: string, hasher: PasswordHasher): void {
  describe(`${name} as a PasswordHasher`, () => {
    test('a secret matches its own hash and no other does', async () => {
      const phc = await hasher.hash('correct horse')
      expect(await hasher.verify('correct horse', phc)).toBe(true)
      expect(await hasher.verify('Correct horse', phc)).toBe(false)
    })

    test('the hash is argon2id with 19 MiB and 2 passes, in PHC format', async () => {
      expect(await hasher.hash('x')).toMatch(
        /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
      )
    })

    test('hashing twice gives different hashes, for each has a salt of its own', async () => {
      expect(await hasher.hash('same')).not.toBe(await hasher.hash('same'))
    })

    test('secrets may hold any text', async () => {
      const secret = 'pässwörd 密码 🔑'
      expect(await hasher.verify(secret, await hasher.hash(secret))).toBe(true)
    })

    // Made with the reference implementation of RFC 9106.
    test('a hash made elsewhere is understood', async () => {
      const phc =
        '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
      expect(await hasher.verify('password', phc)).toBe(true)
      expect(await hasher.verify('passwore', phc)).toBe(false)
    })

    test.each(['', 'secret', '$argon2id$v=19$m=19456,t=2,p=1$', '$2b$10$abcdefghijklmnopqrstuv'])(
      'what is no PHC hash of argon2id matches nothing: %j',
      async (stored) => {
        expect(await hasher.verify('secret', stored)).toBe(false)
      },
    )
  })
}
