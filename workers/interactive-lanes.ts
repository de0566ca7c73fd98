import { connectImap } from '../domain/accounts/connect-imap.ts'
import { findImapSettings } from '../domain/accounts/imap-settings.ts'
import { MailServerError } from '../runtime/ports/mail-server-error.ts'
import type { MailSession, ServerSettings } from '../runtime/ports/mail-server.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** How long a connection is kept for whoever comes next. */
const KEPT_MS = 30_000

/** What a connection beside that of the sync needs. */
export type LanePorts = Needs<
  'store' | 'secretBox' | 'outbound' | 'clock' | 'transcripts' | 'mailServer'
>

type Work<T> = (session: MailSession) => Promise<T>

/** A connection per account beside that of its sync, for what somebody waits for. */
export interface InteractiveLanes {
  /**
   * Does `work` on the account's connection once all that came before is done; again on a new one where a kept
   * one has died meanwhile. Undefined when the account is gone; throws a `MailServerError`.
   */
  use<T>(accountId: number, work: Work<T>): Promise<T | undefined>
  /** Closes all connections. */
  close(): Promise<void>
}

export function interactiveLanes(ctx: LanePorts): InteractiveLanes {
  const lanes = new Map<number, Lane>()
  return {
    use(accountId, work) {
      const lane = lanes.get(accountId) ?? new Lane(ctx, accountId)
      lanes.set(accountId, lane)
      return lane.use(work)
    },
    async close() {
      await Promise.all([...lanes.values()].map((lane) => lane.close()))
    },
  }
}

interface KeptSession {
  readonly session: MailSession
  readonly settings: ServerSettings
}

class Lane {
  readonly #ctx: LanePorts
  readonly #accountId: number
  /** Resolves when all that came so far is done; never rejects. */
  #settled: Promise<unknown> = Promise.resolve()
  #kept: KeptSession | undefined
  #closing = new AbortController()
  readonly #closed = new AbortController()

  constructor(ctx: LanePorts, accountId: number) {
    this.#ctx = ctx
    this.#accountId = accountId
  }

  use<T>(work: Work<T>): Promise<T | undefined> {
    const turn = this.#settled.then(() => this.#run(work))
    this.#settled = turn.catch(() => undefined)
    return turn
  }

  /** Cuts off what runs, refuses what waits, and resolves when both have ended. */
  async close(): Promise<void> {
    this.#closed.abort()
    await this.#drop()
    await this.#settled
  }

  async #run<T>(work: Work<T>): Promise<T | undefined> {
    this.#closing.abort()
    const settings = await findImapSettings(this.#ctx, this.#accountId)
    if (!settings || !isSame(this.#kept?.settings, settings)) await this.#drop()
    if (!settings) return undefined
    try {
      if (this.#kept) return await this.#workWith(this.#kept.session, work)
    } catch (error) {
      if (!isConnectionLost(error)) throw error
    }
    const { signal } = this.#closed
    if (signal.aborted) throw stopping()
    const session = await connectImap(this.#ctx, this.#accountId, signal)
    if (!session) return undefined
    this.#kept = { session, settings }
    if (!signal.aborted) return this.#workWith(session, work)
    await this.#drop()
    throw stopping()
  }

  async #workWith<T>(session: MailSession, work: Work<T>): Promise<T> {
    try {
      return await work(session)
    } catch (error) {
      if (isConnectionLost(error)) await this.#drop()
      throw error
    } finally {
      this.#dropLater()
    }
  }

  async #drop(): Promise<void> {
    this.#closing.abort()
    const kept = this.#kept
    this.#kept = undefined
    await kept?.session.close()
  }

  #dropLater(): void {
    this.#closing.abort()
    const closing = new AbortController()
    this.#closing = closing
    const dropUnlessUsed = async () => {
      await this.#ctx.clock.sleep(KEPT_MS, closing.signal)
      if (!closing.signal.aborted) await this.#drop()
    }
    void dropUnlessUsed()
  }
}

const stopping = () =>
  new MailServerError('unreachable', 'The service is stopping.', { retryable: true })

const isConnectionLost = (error: unknown) =>
  error instanceof MailServerError && error.kind === 'unreachable'

/** Whether a connection made with `a` is one that `b` would make. */
const isSame = (a: ServerSettings | undefined, b: ServerSettings) =>
  a !== undefined && JSON.stringify(a) === JSON.stringify(b)
