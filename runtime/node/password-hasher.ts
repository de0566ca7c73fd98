import { argon2id, argon2Verify } from 'hash-wasm'
import type { PasswordHasher } from '../ports/password-hasher.ts'

const SALT_BYTES = 16
const HASH_BYTES = 32
const MEMORY_KIB = 19 * 1024
const PASSES = 2

/** A PHC string of argon2id with a salt and a hash (RFC 9106); anything else makes the library throw. */
const PHC = /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/

export const wasmPasswordHasher: PasswordHasher = {
  hash: (secret) =>
    argon2id({
      password: secret,
      salt: crypto.getRandomValues(new Uint8Array(SALT_BYTES)),
      parallelism: 1,
      iterations: PASSES,
      memorySize: MEMORY_KIB,
      hashLength: HASH_BYTES,
      outputType: 'encoded',
    }),
  async verify(secret, phc) {
    return PHC.test(phc) && argon2Verify({ password: secret, hash: phc })
  },
}
