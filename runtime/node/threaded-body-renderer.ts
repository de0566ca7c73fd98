import type { Bodies, BodyRenderer } from '../ports/body-renderer.ts'
import type { RenderRequest } from './body-renderer-thread.ts'
import { threadBeside, ThreadPool } from './thread-pool.ts'

/** Nothing that people write takes a tenth of it; what is made to take longer is ended. */
const TIMEOUT_MS = 5_000
/** What somebody made to take long must not stop the next one. */
const THREADS = 2

/** A BodyRenderer whose threads can be ended. */
export interface ThreadedBodyRenderer extends BodyRenderer {
  close(): Promise<void>
}

/** Renders in threads: what somebody has written can be made to take minutes. */
export function openThreadedBodyRenderer(timeoutMs = TIMEOUT_MS): ThreadedBodyRenderer {
  const pool = new ThreadPool<RenderRequest, Bodies | undefined>({
    size: THREADS,
    timeoutMs,
    threadUrl: threadBeside(import.meta.url, 'body-renderer-thread'),
  })
  return {
    async render(mode, written) {
      const outcome = await pool.run({ mode, written })
      return outcome === 'failed' ? undefined : outcome.result
    },
    close: () => pool.close(),
  }
}
