import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sweep } from '../ports/source-store.ts'

const NAMES_AT_ONCE = 500
const FOLDER = /^[0-9a-f]{2}$/
const SOURCE = /^([0-9a-f]{64})\.zst$/
/** What the end of a process may leave of a write, and of a file that was about to lose its name. */
const REMAINS = /\.(tmp|spool)$/

/** The sweep of a file source store: a folder is a part. */
export async function* sweepSourceFiles(directory: string, sweep: Sweep): AsyncGenerator<number> {
  const names = await namesIn(directory)
  yield removeRemains(directory, names, sweep)
  for (const name of names) {
    if (FOLDER.test(name)) yield sweepFolder(join(directory, name), sweep)
  }
}

async function sweepFolder(folder: string, sweep: Sweep): Promise<number> {
  const names = await namesIn(folder)
  let removed = await removeRemains(folder, names, sweep)
  const hashes = names.flatMap((name) => SOURCE.exec(name)?.[1] ?? [])
  for (let start = 0; start < hashes.length; start += NAMES_AT_ONCE) {
    const some = hashes.slice(start, start + NAMES_AT_ONCE)
    const named = await sweep.named(some)
    const unnamed = some.filter((hash) => !named.has(hash)).map((hash) => `${hash}.zst`)
    removed += await removeOld(folder, unnamed, sweep)
  }
  return removed
}

const removeRemains = (folder: string, names: readonly string[], sweep: Sweep) =>
  removeOld(
    folder,
    names.filter((name) => REMAINS.test(name)),
    sweep,
  )

async function removeOld(
  folder: string,
  names: readonly string[],
  { beforeMs }: Sweep,
): Promise<number> {
  let removed = 0
  for (const name of names) {
    const file = join(folder, name)
    const { mtimeMs } = (await unlessGone(stat(file))) ?? {}
    if (mtimeMs === undefined || mtimeMs >= beforeMs) continue
    await rm(file, { force: true })
    removed += 1
  }
  return removed
}

const namesIn = async (directory: string) => (await unlessGone(readdir(directory))) ?? []

const unlessGone = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
