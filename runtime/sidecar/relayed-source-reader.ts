import type { Logger } from '../ports/logger.ts'
import type { SourceIntake } from '../ports/source-intake.ts'
import type { SourceReader, SourceReading, SourceReference } from '../ports/source-reader.ts'
import { sidecarClient, type SidecarClient } from './client.ts'
import type { Sidecars } from './relayed-wake.ts'

/** The sources of this process's disk, as a reader of them and as what keeps more. */
export interface LocalSources {
  readonly reader: SourceReader
  readonly intake: Pick<SourceIntake, 'take'>
}

/**
 * Reads the sources of this process's disk. One that is missing there is asked of the sidecars, which fetch and
 * keep it: on the same disk, or else it is brought here. A failure to ask one is logged.
 */
export function relayedSourceReader(
  { reader, intake }: LocalSources,
  sidecars: Sidecars,
  { logger, process }: { readonly logger: Logger; readonly process: string },
): SourceReader {
  const ask = async <T>(work: (sidecar: SidecarClient) => Promise<T | undefined>) => {
    for (const url of await sidecars.urls()) {
      const answer = await work(sidecarClient({ url, secret: sidecars.secret, process })).catch(
        (error: unknown) => {
          logger.warn('A sidecar could not be asked for a source.', { reason: String(error) })
        },
      )
      if (answer) return answer
    }
    return undefined
  }
  const locate = joined((hash) => ask((sidecar) => sidecar.hasSource(hash)))
  const bring = joined(
    oneByOne(async (hash) => {
      const source = await ask((sidecar) => sidecar.source(hash))
      if (source) await intake.take([source])
    }),
  )
  const relayed = async <Found>(
    { sourceHash }: SourceReference,
    read: () => Promise<SourceReading<Found>>,
  ): Promise<SourceReading<Found>> => {
    const kept = await read()
    if (kept !== 'missing' || !(await locate(sourceHash))) return kept
    const located = await read()
    if (located !== 'missing') return located
    await bring(sourceHash)
    return read()
  }
  return {
    bodies: (source) => relayed(source, () => reader.bodies(source)),
    attachment: (source, index, signal) =>
      relayed(source, () => reader.attachment(source, index, signal)),
    whole: (source, signal) => relayed(source, () => reader.whole(source, signal)),
  }
}

/** Whoever asks for the same while it is under way gets the same answer. */
function joined<T>(work: (hash: string) => Promise<T>): (hash: string) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  return (hash) => {
    const started = running.get(hash) ?? work(hash).finally(() => running.delete(hash))
    running.set(hash, started)
    return started
  }
}

/** One whole source in memory at a time. */
function oneByOne<T>(work: (hash: string) => Promise<T>): (hash: string) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (hash) => {
    const turn = last.then(() => work(hash))
    last = turn.catch(() => undefined)
    return turn
  }
}
