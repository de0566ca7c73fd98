import { availableParallelism } from 'node:os'

import { digestHeaders } from '../../domain/mime/digest-message.ts'
import type {
  AttachmentContent,
  MessageBodies,
  MessageDigest,
  MimeParser,
} from '../ports/mime-parser.ts'
import type { TakenSource } from '../ports/source-intake.ts'
import type { ParseRequest, ParseResult } from './mime-parser-thread.ts'
import { ThreadPool, threadBeside } from './thread-pool.ts'

const TIMEOUT_MS = 20_000

export interface MimeParserPoolOptions {
  /** Where `take` keeps the sources, as the folder of a file source store. */
  readonly sourcesDirectory: string
  readonly size?: number
  readonly timeoutMs?: number
  /** The thread's program. */
  readonly threadUrl?: URL
}

/** A MimeParser whose threads can be ended. */
export interface MimeParserPool extends MimeParser {
  /** Keeps and digests the sources in one thread; undefined when one of them ended it. */
  take(sources: readonly Uint8Array[]): Promise<readonly TakenSource[] | undefined>
  /** Ends all threads; what is not answered yet is rejected. */
  close(): Promise<void>
}

/**
 * Parses in worker threads, started when first needed. A source that crashes its thread or takes longer than the
 * time limit is digested by its header alone and otherwise not read; the thread is replaced and no other source is touched.
 */
export function openMimeParserPool(options: MimeParserPoolOptions): MimeParserPool {
  const { sourcesDirectory } = options
  const pool = new ThreadPool<ParseRequest, ParseResult>({
    size: options.size ?? Math.min(2, availableParallelism()),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    threadUrl: options.threadUrl ?? threadBeside(import.meta.url, 'mime-parser-thread'),
  })
  const run = (request: ParseRequest) => {
    // Copies travel: the caller's buffers stay whole, and so does the pool a small Buffer is cut from.
    const sources = request.sources.map((source) => new Uint8Array(source))
    return pool.run(
      { ...request, sources },
      sources.map(({ buffer }) => buffer),
    )
  }
  return {
    digest: async (source) => {
      const outcome = await run({ kind: 'digest', sources: [source] })
      return outcome === 'failed' ? digestHeaders(source) : (outcome.result as MessageDigest)
    },
    bodies: async (source) => {
      const outcome = await run({ kind: 'bodies', sources: [source] })
      if (outcome === 'failed') throw unreadable()
      return outcome.result as MessageBodies
    },
    attachment: async (source, index) => {
      const outcome = await run({ kind: 'attachment', sources: [source], index })
      if (outcome === 'failed') throw unreadable()
      return outcome.result as AttachmentContent | undefined
    },
    take: async (sources) => {
      const outcome = await run({ kind: 'take', sources, directory: sourcesDirectory })
      return outcome === 'failed' ? undefined : (outcome.result as readonly TakenSource[])
    },
    close: () => pool.close(),
  }
}

const unreadable = () => new Error('A source took too long, or ended the thread that read it.')
