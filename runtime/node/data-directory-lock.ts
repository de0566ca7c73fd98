import { join } from 'node:path'
import { UnusableDataDirectory } from './data-directory.ts'
import { tryFileLock, type FileLock } from './file-lock.ts'

/** Claims the data directory for this `svc serve`; throws `UnusableDataDirectory` while another one runs on it. */
export async function lockDataDirectory(dataDir: string): Promise<FileLock> {
  const lock = await tryFileLock(join(dataDir, 'serve.lock'))
  if (lock) return lock
  throw new UnusableDataDirectory(
    `Another svc serve is running on the data directory ${dataDir}. Stop it first, or set SVC_DATA_DIR.`,
  )
}
