import { isToBeKept } from '../../domain/sources/keeping.ts'
import type { Keeping, SourceIntake } from '../ports/source-intake.ts'
import type { SourceStore } from '../ports/source-store.ts'
import type { SpooledSource } from '../ports/spooled-source.ts'
import { byteBudget } from './byte-budget.ts'
import { sourceHashOf } from './file-source-store.ts'
import type { MimeParserPool } from './mime-parser-pool.ts'

type Source = Uint8Array | SpooledSource

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
  const takeAll = async (sources: readonly Source[], keeping?: Keeping) => {
    const taken = await parser.take(sources, keeping)
    if (taken) return taken
    return Promise.all(
      sources.map(async (given, index) => {
        const source = given instanceof Uint8Array ? given : await given.read()
        const digest = await parser.digest(source)
        const sourceKept = !keeping || isToBeKept(digest, index, keeping)
        const sourceHash = sourceKept ? await sourceStore.put(source) : sourceHashOf(source)
        return { sourceHash, sourceKept, digest }
      }),
    )
  }
  return {
    async take(sources, keeping) {
      const giveBack = await budget.take(
        sources.reduce((sum, { byteLength }) => sum + byteLength, 0),
      )
      return takeAll(sources, keeping).finally(giveBack)
    },
    async room() {
      const giveBack = await budget.take(0)
      giveBack()
    },
  }
}
