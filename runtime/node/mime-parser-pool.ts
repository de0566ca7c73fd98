import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import { digestHeaders } from '../../domain/mime/digest-message.ts'
import type {
  AttachmentContent,
  MessageBodies,
  MessageDigest,
  MimeParser,
} from '../ports/mime-parser.ts'
import type { TakenSource } from '../ports/source-intake.ts'
import type { ParseRequest, ParseResult } from './mime-parser-thread.ts'

const TIMEOUT_MS = 20_000
/** Heap of one thread. A source that needs more ends its thread, not the process. */
const THREAD_HEAP_MB = 512

const THREAD_URL = new URL(
  `./mime-parser-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`,
  import.meta.url,
)

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

interface Job {
  readonly request: ParseRequest
  readonly resolve: (outcome: ParseOutcome) => void
  readonly reject: (error: Error) => void
}

type ParseOutcome = { readonly result: ParseResult } | 'failed'

/**
 * Parses in worker threads, started when first needed. A source that crashes its thread or takes longer than the
 * time limit is answered with what its header says; the thread is replaced and no other source is touched.
 */
export function openMimeParserPool(options: MimeParserPoolOptions): MimeParserPool {
  const { sourcesDirectory } = options
  const pool = new ThreadPool({
    sourcesDirectory,
    size: options.size ?? Math.min(2, availableParallelism()),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    threadUrl: options.threadUrl ?? THREAD_URL,
  })
  return {
    digest: async (source) => {
      const outcome = await pool.run({ kind: 'digest', sources: [source] })
      return outcome === 'failed' ? digestHeaders(source) : (outcome.result as MessageDigest)
    },
    bodies: async (source) => {
      const outcome = await pool.run({ kind: 'bodies', sources: [source] })
      return outcome === 'failed' ? {} : (outcome.result as MessageBodies)
    },
    attachment: async (source, index) => {
      const outcome = await pool.run({ kind: 'attachment', sources: [source], index })
      return outcome === 'failed' ? undefined : (outcome.result as AttachmentContent | undefined)
    },
    take: async (sources) => {
      const outcome = await pool.run({ kind: 'take', sources, directory: sourcesDirectory })
      return outcome === 'failed' ? undefined : (outcome.result as readonly TakenSource[])
    },
    close: () => pool.close(),
  }
}

class ThreadPool {
  readonly #options: Required<MimeParserPoolOptions>
  readonly #idle: Worker[] = []
  readonly #busy = new Map<Worker, Job>()
  readonly #waiting: Job[] = []
  #closed = false

  constructor(options: Required<MimeParserPoolOptions>) {
    this.#options = options
  }

  run(request: ParseRequest): Promise<ParseOutcome> {
    if (this.#closed) return Promise.reject(poolClosed())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const jobs = [...this.#waiting.splice(0), ...this.#busy.values()]
    const threads = [...this.#idle.splice(0), ...this.#busy.keys()]
    this.#busy.clear()
    for (const job of jobs) job.reject(poolClosed())
    await Promise.all(threads.map((thread) => thread.terminate()))
  }

  #next(): void {
    if (this.#waiting.length === 0) return
    const thread = this.#idle.pop() ?? this.#start()
    const job = thread && this.#waiting.shift()
    if (thread && job) this.#give(thread, job)
  }

  #start(): Worker | undefined {
    if (this.#busy.size >= this.#options.size) return undefined
    const thread = new Worker(this.#options.threadUrl, {
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
    })
    // An error is followed by an exit, and the exit is what is answered for.
    thread.on('error', () => undefined)
    thread.on('exit', () => this.#replace(thread))
    return thread
  }

  #give(thread: Worker, job: Job): void {
    this.#busy.set(thread, job)
    thread.ref()
    const timer = setTimeout(() => void thread.terminate(), this.#options.timeoutMs)
    const stopTimer = (): void => clearTimeout(timer)
    thread.once('exit', stopTimer)
    thread.once('message', (result: ParseResult) => {
      stopTimer()
      thread.off('exit', stopTimer)
      this.#settle(thread, { result })
    })
    // Copies travel: the caller's buffers stay whole, and so does the pool a small Buffer is cut from.
    const sources = job.request.sources.map((source) => new Uint8Array(source))
    thread.postMessage(
      { ...job.request, sources },
      sources.map(({ buffer }) => buffer),
    )
  }

  #settle(thread: Worker, outcome: ParseOutcome): void {
    const job = this.#busy.get(thread)
    this.#busy.delete(thread)
    if (!this.#closed && outcome !== 'failed') {
      // An idle thread keeps no process alive.
      thread.unref()
      this.#idle.push(thread)
    }
    job?.resolve(outcome)
    this.#next()
  }

  #replace(thread: Worker): void {
    const at = this.#idle.indexOf(thread)
    if (at >= 0) this.#idle.splice(at, 1)
    if (this.#busy.has(thread)) this.#settle(thread, 'failed')
  }
}

const poolClosed = () => new Error('The MIME parser is closed.')
