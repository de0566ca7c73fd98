import { MailServerError } from '../../ports/mail-server-error.ts'
import { type Connection, endConnection } from './connection.ts'

/** Providers commonly allow one user no more at once. */
const PER_LOGIN_MAX = 4
const ALL_MAX = 5
/** Servers commonly end a connection that has carried more. */
const MESSAGES_MAX = 100

/** Room for one connection of a login, with the one that is kept there. */
export interface Slot {
  connection?: Connection | undefined
}

/** The connections that messages go over. */
export interface Connections {
  /** Gives `work` a slot of its own; who finds none free waits, in order. */
  use<T>(login: string, work: (slot: Slot) => Promise<T>): Promise<T>
  /** Ends those that are kept, and begins nothing from now on: who waits is refused. */
  close(): Promise<void>
}

interface KeptSlot extends Slot {
  login: string
  isInUse: boolean
  /** Ends before another is opened in its place. */
  previous?: Connection | undefined
  timer?: NodeJS.Timeout | undefined
}

interface Waiting {
  readonly login: string
  readonly take: (slot: KeptSlot) => void
  readonly refuse: (error: Error) => void
}

/** At most four connections of a login and five in all; one that nobody needs is kept for so long. */
export function openConnections(keepMs: number): Connections {
  const slots: KeptSlot[] = []
  const waiting: Waiting[] = []
  let isClosed = false

  function serve(): void {
    for (const next of waiting.slice()) {
      const slot = slotFor(next.login, slots)
      if (!slot) continue
      waiting.splice(waiting.indexOf(next), 1)
      clearTimeout(slot.timer)
      slot.isInUse = true
      next.take(slot)
    }
  }

  async function drop(slot: KeptSlot): Promise<void> {
    clearTimeout(slot.timer)
    slot.isInUse = true
    if (slot.connection) await endConnection(slot.connection)
    slots.splice(slots.indexOf(slot), 1)
    serve()
  }

  function release(slot: KeptSlot): void {
    const { connection } = slot
    const isGood = connection?.isGood === true && !connection.client.destroyed
    if (!isGood || connection.carried >= MESSAGES_MAX || isClosed) return void drop(slot)
    slot.isInUse = false
    slot.timer = setTimeout(() => void drop(slot), keepMs)
    serve()
  }

  return {
    async use(login, work) {
      if (isClosed) throw stopped()
      const { promise, resolve: take, reject: refuse } = Promise.withResolvers<KeptSlot>()
      waiting.push({ login, take, refuse })
      serve()
      const slot = await promise
      try {
        if (slot.previous) await endConnection(slot.previous)
        slot.previous = undefined
        return await work(slot)
      } finally {
        release(slot)
      }
    },
    async close() {
      isClosed = true
      for (const { refuse } of waiting.splice(0)) refuse(stopped())
      await Promise.all(slots.filter(({ isInUse }) => !isInUse).map(drop))
    },
  }
}

const stopped = () =>
  new MailServerError('unreachable', 'Nothing is sent any more: this process is ending.', {
    retryable: true,
  })

/** A free slot with a connection of this login, or an empty one. */
function slotFor(login: string, slots: KeptSlot[]): KeptSlot | undefined {
  const free = slots.filter(({ isInUse }) => !isInUse)
  const kept = free.find((slot) => slot.login === login)
  if (kept) return kept
  if (slots.filter((slot) => slot.login === login).length >= PER_LOGIN_MAX) return undefined
  if (slots.length < ALL_MAX) {
    const added = { login, isInUse: false }
    slots.push(added)
    return added
  }
  const [other] = free
  return other && Object.assign(other, { login, previous: other.connection, connection: undefined })
}
