import { expect, onTestFinished, test } from 'vitest'
import { startCuttableRelay } from '../lab/cuttable-relay.ts'
import { type HostileRequest, startHostileImap } from '../lab/hostile-imap.ts'
import { addAccount, startSync, synced } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'

// An error that nobody listens for ends the process, and with it the run of the tests.
test.for(['LOGIN', 'LIST', 'SELECT', 'UID FETCH', 'IDLE'])(
  'a connection that is reset at %s ends no process, and the next one is right (peer: MailFlow #360)',
  async (command) => {
    const imap = await startHostileImap()
    onTestFinished(() => imap.stop())
    const relay = await startCuttableRelay({ host: imap.host, port: imap.imapPort })
    onTestFinished(() => relay.stop())
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    await addAccount(store, { host: relay.host, imapPort: relay.port }, imap.user)
    let idles = 0
    let resets = 0
    imap.behave({
      answer(request: HostileRequest, honest) {
        if (request.command === 'IDLE') idles += 1
        if (request.command === command && resets < 2) {
          resets += 1
          // Of an answer that is on its way, too.
          setImmediate(() => relay.reset())
        }
        return honest
      },
    })
    startSync(store, { clock: scaledClock(300) })
    await eventually(async () => expect(resets).toBe(2))
    const before = idles
    await eventually(async () => expect(idles).toBeGreaterThan(before))
    await synced(store)
  },
)
