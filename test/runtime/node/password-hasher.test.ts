import { afterAll } from 'vitest'
import { wasmPasswordHasher } from '../../../runtime/node/password-hasher.ts'
import { openThreadedPasswordHasher } from '../../../runtime/node/threaded-password-hasher.ts'
import { passwordHasherSuite } from '../suites/password-hasher.ts'

passwordHasherSuite('hash-wasm', wasmPasswordHasher)

const threaded = openThreadedPasswordHasher()
afterAll(() => threaded.close())
passwordHasherSuite('hash-wasm in a thread', threaded)
