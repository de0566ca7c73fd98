import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { startGuarded } from '../../cli/commands/local/demo/guarded-process.ts'

/** A folder that goes with this process, however it ends: a sleeping program in a group of its own holds it. */
export async function benchDirectory(stack: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const holder = await startGuarded(['sleep', 'infinity'], directory, '/dev/null')
  stack.defer(() => holder.stop())
  return directory
}

/** What one of us wrote shall not reach the disk while another is measured. */
export async function flushDisks(): Promise<void> {
  await promisify(execFile)('sync')
}
