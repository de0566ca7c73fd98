import { mkdirSync, statSync } from 'node:fs'

/** What is in the way of using a data directory; the message is for the person who started it. */
export class UnusableDataDirectory extends Error {
  override readonly name = 'UnusableDataDirectory'
}

/** Creates the data directory, for its owner only. One that exists keeps its mode: it may be somebody else's too. */
export function prepareDataDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw unusable(path, error)
  }
}

/** Whether others on this machine may enter the directory. */
export const isOpenToOthers = (path: string) => (statSync(path).mode & 0o077) !== 0

export function unusable(path: string, error: unknown): UnusableDataDirectory {
  const reason = error instanceof Error ? error.message : String(error)
  return new UnusableDataDirectory(`The data directory ${path} cannot be used: ${reason}.`)
}
