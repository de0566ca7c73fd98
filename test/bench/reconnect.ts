import type { HttpClient } from './http-client.ts'
import { theAccount } from './mailbox.ts'
import { isRunning, until } from './processes.ts'
import { sidecarOf } from './service.ts'
import type { Server } from './service.ts'
import { ms } from './table.ts'
import type { Row } from './table.ts'

const WITHIN_MS = 60_000
const SIDECAR_RUNS = 'The sidecar runs.'

/** Ends the sidecar and waits until its successor has found that nothing changed meanwhile. */
export async function measureReconnect(service: Server, api: HttpClient): Promise<Row> {
  const sidecar = await sidecarOf(service)
  process.kill(sidecar, 'SIGTERM')
  await until('the end of the sidecar', WITHIN_MS, () => !isRunning(sidecar) || undefined)
  const endedAtMs = Date.now()
  const syncedAtMs = await until('another sync', WITHIN_MS, async () => {
    const lastSyncAtMs = Date.parse((await theAccount(api))?.last_sync_at ?? '')
    return lastSyncAtMs > endedAtMs ? lastSyncAtMs : undefined
  })
  const runsAtMs = lastStart(await service.log())
  return {
    work: 'resync with nothing new: by a sidecar that runs, from the end of the last one',
    figure: `${ms(syncedAtMs - runsAtMs)}, ${ms(syncedAtMs - endedAtMs)}`,
  }
}

/** When the sidecar last said that it runs. */
function lastStart(log: string): number {
  const line = log.split('\n').findLast((text) => text.includes(SIDECAR_RUNS))
  if (line === undefined) throw new Error(`The log never says: ${SIDECAR_RUNS}`)
  return Date.parse((JSON.parse(line) as { readonly time: string }).time)
}
