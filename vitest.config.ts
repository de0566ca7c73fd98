import { defineConfig } from 'vitest/config'
import { SlowFirst } from './test/support/slow-first.ts'

const { href: first } = new URL('cli/remembered-resolutions.ts', import.meta.url)

const shared = {
  globalSetup: ['test/support/database-template.ts'],
  execArgv: ['--import', first],
  // Against what hangs; a machine may be three times slower than another.
  testTimeout: 120_000,
  hookTimeout: 60_000,
  // Against what never comes; it is a second otherwise, which a busy machine may need for one answer.
  expect: { poll: { timeout: 20_000 } },
}

// Tests that need a real server, a browser or a child process end in `.live.test.ts`.
export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.live.test.ts'],
          // Nothing here changes what another file sees, and loading everything anew for each costs most of the time.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: 'live',
          include: ['test/**/*.live.test.ts'],
          testTimeout: 300_000,
          // Most of them wait most of the time: for servers, for backoff, for a disk to be full.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
