import { closeSync, constants, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../ports/clock.ts'
import type { TranscriptLine, Transcripts } from '../ports/transcripts.ts'

/** Beyond this the file starts anew, and the one before it is kept beside it. */
const FILE_BYTES_MAX = 10 * 1024 * 1024
/** Without O_CREAT, so that a transcript that was removed is not begun again by a connection that still ends. */
const APPEND = constants.O_WRONLY | constants.O_APPEND

/**
 * Transcripts as text files `<account id>.log` under `directory`, a line each. Lines are written without yielding,
 * so that the last one before a crash is there too.
 */
export function transcriptFiles(
  directory: string,
  clock: Clock,
  fileBytesMax = FILE_BYTES_MAX,
): Transcripts {
  const fileOf = (accountId: number) => join(directory, `${accountId}.log`)
  const olderFileOf = (accountId: number) => join(directory, `${accountId}.1.log`)

  const begin = (accountId: number) => {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    closeSync(openSync(fileOf(accountId), 'a', 0o600))
  }

  const write = (accountId: number, line: string) => {
    const file = fileOf(accountId)
    if (statSync(file).size + Buffer.byteLength(line) > fileBytesMax) {
      renameSync(file, olderFileOf(accountId))
      begin(accountId)
    }
    const descriptor = openSync(file, APPEND)
    try {
      writeSync(descriptor, line)
    } finally {
      closeSync(descriptor)
    }
  }

  return {
    of(accountId) {
      quietly(() => begin(accountId))
      return (line) => quietly(() => write(accountId, written(line, clock.now())))
    },
    async bytes(accountId) {
      const sizes = [fileOf(accountId), olderFileOf(accountId)].map(
        (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
      )
      return sizes.reduce((total, size) => total + size)
    },
    async remove(accountId) {
      await rm(fileOf(accountId), { force: true })
      await rm(olderFileOf(accountId), { force: true })
    },
  }
}

const ARROWS = { client: '>', server: '<' } as const

/** What a server says could hold control characters, which terminals obey. */
const written = ({ connection, from, text }: TranscriptLine, now: Date): string =>
  `${now.toISOString()} ${connection} ${ARROWS[from]} ${text.replaceAll(/\p{Cc}/gu, '\uFFFD')}\n`

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // Whoever misses lines sees that from the file; the sync must not suffer.
  }
}
