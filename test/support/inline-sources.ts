import { digestMessage } from '../../domain/mime/digest-message.ts'
import { isToBeKept } from '../../domain/sources/keeping.ts'
import type { SourceIntake } from '../../runtime/ports/source-intake.ts'
import type { SourceStore } from '../../runtime/ports/source-store.ts'
import { memorySourceStore } from './memory-source-store.ts'

/** Sources in memory, read where they are taken, without threads. */
export function inlineSources(): { sourceStore: SourceStore; sourceIntake: SourceIntake } {
  const sourceStore = memorySourceStore()
  const sourceIntake: SourceIntake = {
    take: (sources, keeping) =>
      Promise.all(
        sources.map(async (given, index) => {
          const source = given instanceof Uint8Array ? given : await given.read()
          const digest = await digestMessage(source)
          const sourceKept = !keeping || isToBeKept(digest, index, keeping)
          const sourceHash = await (sourceKept ? sourceStore : memorySourceStore()).put(source)
          return { sourceHash, sourceKept, digest }
        }),
      ),
    room: async () => {},
  }
  return { sourceStore, sourceIntake }
}
