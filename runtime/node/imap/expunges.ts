import type { ExpungeEvent, ImapFlow } from 'imapflow'
import { setImmediate as otherWork } from 'node:timers/promises'

/** A server may name every UID that ever was (RFC 7162 section 3.2.10): beyond this, asking it is cheaper. */
const COLLECTED_MAX = 1_000_000
/** More is no honest answer: `1:4294967295` is a few bytes to send and hours to read. */
const HEARD_MAX = 50_000_000
const HEARD_WITHOUT_PAUSE = 2_000

/** Which messages the server says are gone. */
export interface Expunges {
  /** For the client's `expungeHandler`. */
  readonly hear: (event: ExpungeEvent) => Promise<void> | undefined
  /** Calls `onExpunge` for each from now on. */
  attach(client: ImapFlow, onExpunge: () => void): void
  /** Forgets what was heard and listens anew. */
  restart(): void
  /** The UIDs heard since `restart`; undefined where they were too many. */
  uids(): readonly number[] | undefined
}

const nothing = () => {}

export function expunges(): Expunges {
  let heardUids: number[] = []
  let heard = 0
  let close = nothing
  let report = nothing
  return {
    hear({ vanished, uid }) {
      report()
      heard += 1
      if (heard > HEARD_MAX) {
        close()
        // The client reads no further while it waits for this.
        return new Promise(() => undefined)
      }
      if (vanished && uid !== undefined && heardUids.length <= COLLECTED_MAX) heardUids.push(uid)
      return heard % HEARD_WITHOUT_PAUSE === 0 ? otherWork() : undefined
    },
    attach(client, onExpunge) {
      close = () => client.close()
      report = onExpunge
    },
    restart() {
      heardUids = []
      heard = 0
    },
    uids: () => (heardUids.length > COLLECTED_MAX ? undefined : heardUids),
  }
}
