import type { SourceIntake } from '../ports/source-intake.ts'
import type { SourceStore } from '../ports/source-store.ts'
import { byteBudget } from './byte-budget.ts'
import type { MimeParserPool } from './mime-parser-pool.ts'

/** What all syncs of this process together may have in the threads, in bytes. */
const TAKEN_AT_ONCE_BYTES = 48 * 1024 * 1024

/**
 * Takes a group of sources in one of the parser's threads, files and all: hashing, compressing and writing would
 * keep the sync's own thread busy longer than everything else. A group whose thread failed is taken one by one, so
 * that only the source that ended it is read by its header alone.
 */
export function threadedSourceIntake(
  parser: MimeParserPool,
  sourceStore: SourceStore,
): SourceIntake {
  const budget = byteBudget(TAKEN_AT_ONCE_BYTES)
  const takeAll = async (sources: readonly Uint8Array[]) => {
    const taken = await parser.take(sources)
    if (taken) return taken
    return Promise.all(
      sources.map(async (source) => ({
        sourceHash: await sourceStore.put(source),
        digest: await parser.digest(source),
      })),
    )
  }
  return {
    async take(sources) {
      const giveBack = await budget.take(
        sources.reduce((sum, { byteLength }) => sum + byteLength, 0),
      )
      return takeAll(sources).finally(giveBack)
    },
    async room() {
      const giveBack = await budget.take(0)
      giveBack()
    },
  }
}
