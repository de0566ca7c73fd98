import type { Logger } from '../ports/logger.ts'
import type { SourceIntake } from '../ports/source-intake.ts'
import type { SourceReader, SourceReading, SourceReference } from '../ports/source-reader.ts'
import { StorageError } from '../ports/storage-error.ts'
import { sidecarClient, type SidecarClient } from './client.ts'
import type { Sidecars } from './relayed-wake.ts'

/** The sources of this process's disk, as a reader of them and as what keeps more. */
export interface LocalSources {
  readonly reader: SourceReader
  readonly intake: Pick<SourceIntake, 'take'>
}

/**
 * Reads the sources of this process's disk. One that is missing there is asked of the sidecars, which fetch and
 * keep it: on the same disk, or else it is brought here. What the disk refuses is read without being kept. A failure
 * to ask a sidecar is logged.
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
  const inTurn = oneByOne()
  const bring = async <Source extends SourceReference, Found>(
    source: Source,
    read: (source: Source) => Promise<SourceReading<Found>>,
  ): Promise<SourceReading<Found>> => {
    // Whoever stood before may have brought it.
    const kept = await read(source)
    if (kept !== 'missing') return kept
    const bytes = await ask((sidecar) => sidecar.source(source.sourceHash))
    if (!bytes) return 'missing'
    return read((await keeps(intake, bytes)) ? source : { ...source, bytes })
  }
  const relayed = async <Source extends SourceReference, Found>(
    source: Source,
    read: (source: Source) => Promise<SourceReading<Found>>,
  ): Promise<SourceReading<Found>> => {
    const kept = await read(source)
    if (kept !== 'missing' || !(await locate(source.sourceHash))) return kept
    const located = await read(source)
    return located === 'missing' ? inTurn(() => bring(source, read)) : located
  }
  return {
    bodies: (source) => relayed(source, (asked) => reader.bodies(asked)),
    attachment: (source, index, signal) =>
      relayed(source, (asked) => reader.attachment(asked, index, signal)),
    whole: (source, signal) => relayed(source, (asked) => reader.whole(asked, signal)),
  }
}

/** Whether the disk takes it. */
async function keeps(intake: LocalSources['intake'], source: Uint8Array): Promise<boolean> {
  try {
    await intake.take([source])
    return true
  } catch (error) {
    if (error instanceof StorageError) return false
    throw error
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
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
