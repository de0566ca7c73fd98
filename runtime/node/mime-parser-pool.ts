import { availableParallelism } from 'node:os'

import { digestHeaders } from '../../domain/mime/digest-message.ts'
import type { MessageDigest } from '../ports/message-digest.ts'
import type { Keeping, TakenSource } from '../ports/source-intake.ts'
import type {
  ListedSource,
  MessageBodies,
  SourceReading,
  SourceReference,
} from '../ports/source-reader.ts'
import type { ParseRequest, ParseResult, ReadRequest } from './mime-parser-thread.ts'
import type { Spooled, SpooledAttachment } from './read-source.ts'
import type { SpoolPlace } from './spool-file.ts'
import type { SpooledAt } from './spooled-source.ts'
import { ThreadPool, threadBeside } from './thread-pool.ts'

const TIMEOUT_MS = 20_000

export interface MimeParserPoolOptions {
  /** Where sources are kept, as the folder of a file source store. */
  readonly sourcesDirectory: string
  readonly size?: number
  readonly timeoutMs?: number
  /** The thread's program. */
  readonly threadUrl?: URL
}

/** `refused`: nothing can be spooled at that place now. */
export type SpooledReading<Found> = SourceReading<Found> | 'refused'

/**
 * Reads sources in threads. Never throws for what a source holds: hostile and broken ones give what can be read.
 * What is read of them comes as files without a name, for the caller to close.
 */
export interface MimeParserPool {
  /** Of a source that takes too long, or ends its reader, the digest is of its header alone. */
  digest(source: Uint8Array): Promise<MessageDigest>
  /** Keeps and digests the sources in one thread; undefined when one of them ended it. */
  take(
    sources: readonly (Uint8Array | SpooledAt)[],
    keeping?: Keeping,
  ): Promise<readonly TakenSource[] | undefined>
  /** Throws, as the two below, for a source that takes too long or ends its reader. */
  bodies(source: SourceReference): Promise<SourceReading<MessageBodies>>
  attachment(
    source: ListedSource,
    index: number,
    place: SpoolPlace,
  ): Promise<SpooledReading<SpooledAttachment | undefined>>
  whole(source: SourceReference, place: SpoolPlace): Promise<SpooledReading<Spooled>>
  /** Ends all threads; what is not answered yet is rejected. */
  close(): Promise<void>
}

/** Worker threads, started when first needed; one that a source ends is replaced and no other source is touched. */
export function openMimeParserPool(options: MimeParserPoolOptions): MimeParserPool {
  const directory = options.sourcesDirectory
  const pool = new ThreadPool<ParseRequest, ParseResult>({
    size: options.size ?? Math.min(2, availableParallelism()),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    threadUrl: options.threadUrl ?? threadBeside(import.meta.url, 'mime-parser-thread'),
  })
  /** The thread answers each kind of request with its own kind of result. */
  const read = async <Reading>(request: ReadRequest): Promise<Reading> => {
    const outcome = await pool.run(request)
    if (outcome === 'failed') throw unreadable()
    return outcome.result as Reading
  }
  return {
    digest: async (source) => {
      const copy = new Uint8Array(source)
      const outcome = await pool.run({ kind: 'digest', sources: [copy] }, [copy.buffer])
      return outcome === 'failed' ? digestHeaders(source) : (outcome.result as MessageDigest)
    },
    take: async (sources, keeping) => {
      const travelling = sources.map(travellingSource)
      const rule = keeping && { keeping }
      const outcome = await pool.run(
        { kind: 'take', sources: travelling, directory, ...rule },
        travelling.flatMap((source) => (source instanceof Uint8Array ? [source.buffer] : [])),
      )
      return outcome === 'failed' ? undefined : (outcome.result as readonly TakenSource[])
    },
    bodies: (source) => read({ kind: 'bodies', source, directory }),
    attachment: (source, index, place) =>
      read({ kind: 'attachment', source, index, place, directory }),
    whole: (source, place) => read({ kind: 'whole', source, place, directory }),
    close: () => pool.close(),
  }
}

/** A copy: the caller's buffers stay whole, and so does the pool a small Buffer is cut from. */
const travellingSource = (source: Uint8Array | SpooledAt) =>
  source instanceof Uint8Array
    ? new Uint8Array(source)
    : { fd: source.fd, byteLength: source.byteLength }

const unreadable = () => new Error('A source took too long, or ended the thread that read it.')
