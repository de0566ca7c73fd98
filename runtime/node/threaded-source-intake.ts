import type { SourceIntake } from '../ports/source-intake.ts'
import type { SourceStore } from '../ports/source-store.ts'
import type { MimeParserPool } from './mime-parser-pool.ts'

/**
 * Takes a group of sources in one of the parser's threads, files and all: hashing, compressing and writing would
 * keep the sync's own thread busy longer than everything else. A group whose thread failed is taken one by one, so
 * that only the source that ended it is read by its header alone.
 */
export function threadedSourceIntake(
  parser: MimeParserPool,
  sourceStore: SourceStore,
): SourceIntake {
  return {
    async take(sources) {
      const taken = await parser.take(sources)
      if (taken) return taken
      return Promise.all(
        sources.map(async (source) => ({
          sourceHash: await sourceStore.put(source),
          digest: await parser.digest(source),
        })),
      )
    },
  }
}
