import { Worker } from 'node:worker_threads'

/** Heap of one thread. What needs more ends its thread, not the process. */
const THREAD_HEAP_MB = 512
/** Most of what a thread allocates is dead at once; a larger one is only more memory. */
const THREAD_YOUNG_GENERATION_MB = 12
/** A thread that nobody needed for so long is ended: it holds some 30 MiB. */
const IDLE_THREAD_KEPT_MS = 30_000

export interface ThreadPoolOptions {
  /** How many threads there are at most; each is started when first needed. */
  readonly size: number
  /** How long a thread may work on one request before it is ended. */
  readonly timeoutMs: number
  /** How long a thread is kept that nobody needs. */
  readonly idleMs?: number
  /** The thread's program: it answers each message with one message. */
  readonly threadUrl: URL
  /** What each thread is started with, as its `workerData`. */
  readonly workerData?: unknown
}

/** `failed` when the thread ended or took too long. */
export type ThreadOutcome<Result> = { readonly result: Result } | 'failed'

interface Job<Request, Result> {
  readonly request: Request
  readonly transfer: readonly ArrayBuffer[]
  readonly resolve: (outcome: ThreadOutcome<Result>) => void
  readonly reject: (error: Error) => void
}

interface IdleThread {
  readonly thread: Worker
  readonly endTimer: NodeJS.Timeout
}

/** The program of a thread that stands beside the calling module, compiled or not. */
export const threadBeside = (moduleUrl: string, name: string): URL =>
  new URL(`./${name}.${moduleUrl.endsWith('.ts') ? 'ts' : 'js'}`, moduleUrl)

/** Worker threads that answer requests, one at a time each; one that ends is replaced. */
export class ThreadPool<Request, Result> {
  readonly #options: ThreadPoolOptions
  readonly #idle: IdleThread[] = []
  readonly #busy = new Map<Worker, Job<Request, Result>>()
  readonly #waiting: Job<Request, Result>[] = []
  #closed = false

  constructor(options: ThreadPoolOptions) {
    this.#options = options
  }

  /** The thread's answer. The buffers in `transfer` move there; everything else is copied. */
  run(request: Request, transfer: readonly ArrayBuffer[] = []): Promise<ThreadOutcome<Result>> {
    if (this.#closed) return Promise.reject(poolClosed())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, transfer, resolve, reject })
      this.#next()
    })
  }

  /** Ends all threads; what is not answered yet is rejected. */
  async close(): Promise<void> {
    this.#closed = true
    const jobs = [...this.#waiting.splice(0), ...this.#busy.values()]
    const idle = this.#idle.splice(0)
    for (const { endTimer } of idle) clearTimeout(endTimer)
    const threads = [...idle.map(({ thread }) => thread), ...this.#busy.keys()]
    this.#busy.clear()
    for (const job of jobs) job.reject(poolClosed())
    await Promise.all(threads.map((thread) => thread.terminate()))
  }

  #next(): void {
    if (this.#waiting.length === 0) return
    const thread = this.#awaken() ?? this.#start()
    const job = thread && this.#waiting.shift()
    if (thread && job) this.#give(thread, job)
  }

  #awaken(): Worker | undefined {
    const idle = this.#idle.pop()
    clearTimeout(idle?.endTimer)
    return idle?.thread
  }

  #start(): Worker | undefined {
    if (this.#busy.size >= this.#options.size) return undefined
    const { threadUrl, workerData } = this.#options
    const thread = new Worker(threadUrl, {
      workerData,
      resourceLimits: {
        maxOldGenerationSizeMb: THREAD_HEAP_MB,
        maxYoungGenerationSizeMb: THREAD_YOUNG_GENERATION_MB,
      },
    })
    // An error is followed by an exit, and the exit is what is answered for.
    thread.on('error', () => undefined)
    thread.on('exit', () => this.#replace(thread))
    return thread
  }

  #give(thread: Worker, job: Job<Request, Result>): void {
    this.#busy.set(thread, job)
    thread.ref()
    const timer = setTimeout(() => void thread.terminate(), this.#options.timeoutMs)
    const stopTimer = (): void => clearTimeout(timer)
    thread.once('exit', stopTimer)
    thread.once('message', (result: Result) => {
      stopTimer()
      thread.off('exit', stopTimer)
      this.#settle(thread, { result })
    })
    thread.postMessage(job.request, job.transfer)
  }

  #settle(thread: Worker, outcome: ThreadOutcome<Result>): void {
    const job = this.#busy.get(thread)
    this.#busy.delete(thread)
    if (!this.#closed && outcome !== 'failed') {
      // An idle thread keeps no process alive.
      thread.unref()
      const idleMs = this.#options.idleMs ?? IDLE_THREAD_KEPT_MS
      const endTimer = setTimeout(() => void thread.terminate(), idleMs).unref()
      this.#idle.push({ thread, endTimer })
    }
    job?.resolve(outcome)
    this.#next()
  }

  #replace(thread: Worker): void {
    const at = this.#idle.findIndex((idle) => idle.thread === thread)
    if (at >= 0) this.#idle.splice(at, 1)
    if (this.#busy.has(thread)) this.#settle(thread, 'failed')
  }
}

const poolClosed = () => new Error('The threads are closed.')
