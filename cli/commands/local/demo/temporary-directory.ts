import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Socket } from 'node:net'

/**
 * Waits for the end of a pipe that only our process holds; the kernel closes it however we end. Removes more
 * than once, because children of ours that notice a little later may still write.
 */
const GUARD = 'cat >/dev/null; for wait in 0.5 1 2 4; do sleep "$wait"; rm -rf -- "$1"; done'

/** A folder that goes with our process at the latest, within eight seconds of its end. */
export interface TemporaryDirectory {
  readonly path: string
  remove(): Promise<void>
}

/** Makes a folder that every user of this machine can pass through but not list. */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'svc-demo-'))
  const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', path], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  await once(guard, 'spawn')
  // Dovecot's processes run as users of their own.
  await chmod(path, 0o711)
  // Neither the guard nor the pipe keeps our process from ending.
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 10 })
      if (guard.pid !== undefined) process.kill(-guard.pid, 'SIGKILL')
    },
  }
}
