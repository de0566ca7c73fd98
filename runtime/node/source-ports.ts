import type { Runtime } from '../ports/runtime.ts'
import { openFileSourceStore } from './file-source-store.ts'
import { loadedWhenUsed } from './loaded-when-used.ts'
import { threadedSourceIntake } from './threaded-source-intake.ts'
import { threadedSourceReader } from './threaded-source-reader.ts'

/** The ports around message sources, over files in one directory; threads start when first used. */
export interface SourcePorts {
  readonly ports: Pick<Runtime, 'sourceStore' | 'sourceIntake' | 'sourceReader'>
  /** Ends the threads. */
  close(): Promise<void>
}

export function openSourcePorts(sourcesDirectory: string): SourcePorts {
  const sourceStore = openFileSourceStore(sourcesDirectory)
  const threads = loadedWhenUsed(async () =>
    (await import('./mime-parser-pool.ts')).openMimeParserPool({ sourcesDirectory }),
  )
  const intake = loadedWhenUsed(async () => threadedSourceIntake(await threads.get(), sourceStore))
  const reader = loadedWhenUsed(async () => threadedSourceReader(await threads.get()))
  return {
    ports: {
      sourceStore,
      sourceIntake: {
        take: async (sources, keeping) => (await intake.get()).take(sources, keeping),
        room: async () => (await intake.get()).room(),
      },
      sourceReader: {
        bodies: async (source) => (await reader.get()).bodies(source),
        attachment: async (source, index, signal) =>
          (await reader.get()).attachment(source, index, signal),
        whole: async (source, signal) => (await reader.get()).whole(source, signal),
      },
    },
    async close() {
      await (await threads.loaded())?.close()
    },
  }
}
