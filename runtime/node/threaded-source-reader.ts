import type { Download, SourceReader, SourceReading } from '../ports/source-reader.ts'
import { byteBudget } from './byte-budget.ts'
import type { MimeParserPool } from './mime-parser-pool.ts'
import type { Spooled } from './read-kept-source.ts'
import { spooledDownload } from './spooled-download.ts'

const MIB = 1024 * 1024

export interface SourceReaderLimits {
  /** What downloads may take of the disk at once; further ones wait for their turn. */
  readonly spoolBytesMax: number
  /** Sources from this size on are read one at a time, so that small ones need not wait for them. */
  readonly largeBytes: number
  /** How long a download waits for somebody who does not read on. */
  readonly stallMs: number
}

const LIMITS: SourceReaderLimits = {
  spoolBytesMax: 2048 * MIB,
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
  const spool = byteBudget(limits.spoolBytesMax)
  const large = byteBudget(1)

  const inTurn = async <T>(size: number, read: () => Promise<T>): Promise<T> => {
    if (size < limits.largeBytes) return read()
    const giveBack = await large.take(1)
    return read().finally(giveBack)
  }
  /** Takes room for the whole source: what comes of it is hardly ever larger, and not known before. */
  const spooled = async <Found, Handed>(
    { size, signal }: { readonly size: number; readonly signal: AbortSignal | undefined },
    read: () => Promise<SourceReading<Found>>,
    handOut: (found: Found, onEnd: () => void) => Handed,
  ): Promise<SourceReading<Handed>> => {
    const giveBack = await spool.take(size)
    try {
      const reading = await inTurn(size, async () => {
        signal?.throwIfAborted()
        return read()
      })
      if (typeof reading !== 'string') return { found: handOut(reading.found, giveBack) }
      giveBack()
      return reading
    } catch (error) {
      giveBack()
      throw error
    }
  }
  const download = ({ file, size }: Spooled, onEnd: () => void): Download =>
    spooledDownload(file, { size, stallMs: limits.stallMs, onEnd })

  return {
    bodies: (source) => inTurn(source.size, () => parser.bodies(source)),
    attachment: (source, index, signal) =>
      spooled(
        { size: source.size, signal },
        () => parser.attachment(source, index),
        (found, onEnd) => {
          if (found) return { info: found.info, ...download(found, onEnd) }
          onEnd()
          return undefined
        },
      ),
    whole: (source, signal) =>
      spooled({ size: source.size, signal }, () => parser.whole(source), download),
  }
}
