import type { Store } from '../../runtime/ports/store.ts'
import { ingest } from '../../domain/sync/ingest.ts'
import { syncPorts } from './account-sync.ts'
import { arrival, leasedInbox } from './arrivals.ts'

const MAILS_IN_BATCH = 10
const WORDS_IN_MAIL = 400

/** Mail as a sync stores it, a transaction for each few; the engine leaves a segment of the index for each. */
export async function filledIndex(
  store: Store,
  batches: number,
): Promise<{ readonly add: (batch: number) => Promise<void> }> {
  const { lease, folder } = await leasedInbox(store)
  const add = async (batch: number) => {
    const arrivals = Array.from({ length: MAILS_IN_BATCH }, (_, index) => {
      const uid = batch * MAILS_IN_BATCH + index + 1
      const words = Array.from(
        { length: WORDS_IN_MAIL },
        (__, n) => `w${(uid * 7_919 + n) % 5_000}`,
      )
      const mail = arrival({ uid })
      const indexText = { ...mail.digest.indexText, body: `mail${uid} all ${words.join(' ')}` }
      return { ...mail, digest: { ...mail.digest, indexText } }
    })
    await ingest(syncPorts(store), lease, { folder, arrivals })
  }
  for (let batch = 0; batch < batches; batch += 1) await add(batch)
  return { add }
}
