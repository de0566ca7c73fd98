import { expect, test } from 'vitest'

import { accountRows } from './account-rows.ts'
import { MEBIBYTE } from './table.ts'

const idle = (handlers: number, sidecar: number) => ({
  syncedMs: 3_000,
  bytes: { handlers: handlers * MEBIBYTE, sidecar: sidecar * MEBIBYTE },
  sidecar: { heapUsed: sidecar * MEBIBYTE, heapTotal: 0, external: 0 },
})

test.each([
  [259, '1.00 MiB, 1.00 MiB, 2.00 MiB', true],
  [260, '1.00 MiB, 1.01 MiB, 2.01 MiB', false],
])('of 100 accounts the first is free: a sidecar of %d MiB', (sidecar, figure, met) => {
  const [row] = accountRows({
    accounts: 100,
    one: idle(150, 160),
    many: idle(249, sidecar),
    firstSyncMs: 9_000,
    connectionBytes: MEBIBYTE / 2,
  })
  expect(row).toMatchObject({ figure, met })
})
