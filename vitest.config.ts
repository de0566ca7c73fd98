import { defineConfig } from 'vitest/config'

const shared = {
  setupFiles: ['test/support/setup.ts'],
  globalSetup: ['test/support/database-template.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

// Tests that need a real server, a browser or a child process end in `.live.test.ts`.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.live.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'live',
          include: ['test/**/*.live.test.ts'],
          testTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})
