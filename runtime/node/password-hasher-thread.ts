import { parentPort } from 'node:worker_threads'
import { wasmPasswordHasher } from './password-hasher.ts'

/** With a `phc` it is verified, without one made. */
export interface HashRequest {
  readonly secret: string
  readonly phc?: string
}

parentPort?.on('message', ({ secret, phc }: HashRequest) => {
  const answer =
    phc === undefined ? wasmPasswordHasher.hash(secret) : wasmPasswordHasher.verify(secret, phc)
  void answer.then((result) => parentPort?.postMessage(result, []))
})
