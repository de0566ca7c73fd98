import { digestMessage } from '../../domain/mime/digest-message.ts'
import type { SourceIntake } from '../../runtime/ports/source-intake.ts'
import type { SourceStore } from '../../runtime/ports/source-store.ts'
import { memorySourceStore } from './memory-source-store.ts'

/** Sources in memory, read where they are taken, without threads. */
export function inlineSources(): { sourceStore: SourceStore; sourceIntake: SourceIntake } {
  const sourceStore = memorySourceStore()
  const take = async (source: Uint8Array) => ({
    sourceHash: await sourceStore.put(source),
    digest: await digestMessage(source),
  })
  const sourceIntake = {
    take: (sources: readonly Uint8Array[]) => Promise.all(sources.map(take)),
    room: async () => {},
  }
  return { sourceStore, sourceIntake }
}
