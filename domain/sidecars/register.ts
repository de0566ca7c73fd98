import { lt, sql } from 'drizzle-orm'
import { sidecars } from '../../db/schema/sidecars.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { databaseNowMs } from '../database-time.ts'

/** A sidecar that has been silent for this long is forgotten. */
const FORGOTTEN_AFTER_MS = 3_600_000

/** Says that the sidecar runs and where it answers. Call it again as a heartbeat, several times in 15 s. */
export async function registerSidecar(
  { store }: Needs<'store'>,
  sidecar: { readonly id: string; readonly url: string },
): Promise<void> {
  await store.commit((write) => [
    write
      .insert(sidecars)
      .values({ ...sidecar, heartbeatAt: databaseNowMs })
      .onConflictDoUpdate({
        target: sidecars.id,
        set: { url: sidecar.url, heartbeatAt: databaseNowMs },
      }),
    write
      .delete(sidecars)
      .where(lt(sidecars.heartbeatAt, sql`${databaseNowMs} - ${FORGOTTEN_AFTER_MS}`)),
  ])
}
