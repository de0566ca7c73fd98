import type { Download, SourceReader, SourceReading } from '../ports/source-reader.ts'
import { byteBudget } from './byte-budget.ts'
import type { MimeParserPool, SpooledReading } from './mime-parser-pool.ts'
import type { Spooled } from './read-source.ts'
import { SPOOL_PLACES, type SpoolPlace } from './spool-file.ts'
import { spooledDownload } from './spooled-download.ts'

const MIB = 1024 * 1024

export interface SourceReaderLimits {
  /** What downloads may take of the disk at once; further ones wait for their turn. */
  readonly spoolBytesMax: number
  /** The same for downloads that lie in memory, while the disk refuses them. */
  readonly spoolBytesMaxElsewhere: number
  /** Sources from this size on are read one at a time, so that small ones need not wait for them. */
  readonly largeBytes: number
  /** How long a download waits for somebody who does not read on. */
  readonly stallMs: number
}

const LIMITS: SourceReaderLimits = {
  spoolBytesMax: 2048 * MIB,
  // Room for the largest message that is kept whole.
  spoolBytesMaxElsewhere: 128 * MIB,
  largeBytes: 2 * MIB,
  stallMs: 30_000,
}

/**
 * Reads sources in the parser's threads. What is handed out lies in files without a name meanwhile: a client may
 * be as slow as it likes and costs no memory.
 */
export function threadedSourceReader(
  parser: Pick<MimeParserPool, 'bodies' | 'attachment' | 'whole'>,
  limits: SourceReaderLimits = LIMITS,
): SourceReader {
  const room = {
    beside: byteBudget(limits.spoolBytesMax),
    elsewhere: byteBudget(limits.spoolBytesMaxElsewhere),
  }
  const large = byteBudget(1)

  const largeOneByOne = async <T>(size: number, read: () => Promise<T>): Promise<T> => {
    if (size < limits.largeBytes) return read()
    const giveBack = await large.take(1)
    return read().finally(giveBack)
  }
  /** Takes room for the whole source: what comes of it is hardly ever larger, and not known before. */
  const spooled = async <Found, Handed>(
    { size, signal }: { readonly size: number; readonly signal: AbortSignal | undefined },
    read: (place: SpoolPlace) => Promise<SpooledReading<Found>>,
    handOut: (found: Found, onEnd: () => void) => Handed,
  ): Promise<SourceReading<Handed>> => {
    for (const place of SPOOL_PLACES) {
      const giveBack = await room[place].take(size)
      try {
        const reading = await largeOneByOne(size, async () => {
          signal?.throwIfAborted()
          return read(place)
        })
        if (typeof reading !== 'string') return { found: handOut(reading.found, giveBack) }
        giveBack()
        if (reading !== 'refused') return reading
      } catch (error) {
        giveBack()
        throw error
      }
    }
    throw new Error('No disk takes what is to be downloaded.')
  }
  const download = ({ file, size }: Spooled, onEnd: () => void): Download =>
    spooledDownload(file, { size, stallMs: limits.stallMs, onEnd })

  return {
    bodies: (source) => largeOneByOne(source.size, () => parser.bodies(source)),
    attachment: (source, index, signal) =>
      spooled(
        { size: source.size, signal },
        (place) => parser.attachment(source, index, place),
        (found, onEnd) => {
          if (found) return { info: found.info, ...download(found, onEnd) }
          onEnd()
          return undefined
        },
      ),
    whole: (source, signal) =>
      spooled({ size: source.size, signal }, (place) => parser.whole(source, place), download),
  }
}
