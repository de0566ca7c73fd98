import { globSync, writeFileSync } from 'node:fs'

/** Where Debian's libfaketime lies, on any machine. */
export const FAKETIME_LIBRARY = '/usr/lib/*/faketime/libfaketimeMT.so.1'

/** The clock of processes that are started with `env`; time that passes is told from the true one by them alone. */
export interface FakedClock {
  readonly env: Readonly<Record<string, string>>
  /** Sets it so many seconds ahead of the true one, or behind; they see it within a second. */
  set(seconds: number): void
}

/** Their clock, told by `file`. Timers go on as before: they are not of this clock. */
export function fakedClock(file: string): FakedClock {
  const [library] = globSync(FAKETIME_LIBRARY)
  if (library === undefined)
    throw new Error('libfaketime is not here. Run: node test/lab/install.ts')
  const set = (seconds: number) => writeFileSync(file, seconds < 0 ? `${seconds}` : `+${seconds}`)
  set(0)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    set,
  }
}
