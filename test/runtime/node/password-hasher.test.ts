import { wasmPasswordHasher } from '../../../runtime/node/password-hasher.ts'
import { passwordHasherSuite } from '../suites/password-hasher.ts'

passwordHasherSuite('hash-wasm', wasmPasswordHasher)
