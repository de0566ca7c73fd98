import type { PasswordHasher } from '../ports/password-hasher.ts'
import type { HashRequest } from './password-hasher-thread.ts'
import { threadBeside, ThreadPool } from './thread-pool.ts'

const TIMEOUT_MS = 20_000

/** A PasswordHasher whose thread can be ended. */
export interface ThreadedPasswordHasher extends PasswordHasher {
  close(): Promise<void>
}

/** Hashes in a thread: half a tenth of a second is too long for requests to wait behind it. */
export function openThreadedPasswordHasher(): ThreadedPasswordHasher {
  const threadUrl = threadBeside(import.meta.url, 'password-hasher-thread')
  const pool = new ThreadPool<HashRequest, string | boolean>({
    size: 1,
    timeoutMs: TIMEOUT_MS,
    threadUrl,
  })
  const run = async (request: HashRequest) => {
    const outcome = await pool.run(request)
    if (outcome === 'failed') throw new Error('The hashing thread ended.')
    return outcome.result
  }
  return {
    hash: async (secret) => String(await run({ secret })),
    verify: async (secret, phc) => (await run({ secret, phc })) === true,
    close: () => pool.close(),
  }
}
