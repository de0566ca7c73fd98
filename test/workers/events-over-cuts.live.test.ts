import { gt, max } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { startCuttableRelay } from '../lab/cuttable-relay.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, synced, whileSyncing } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { smallMail as mail } from '../support/small-mail.ts'

const isLong = process.env['SVC_TEST_LONG'] === '1'
/** From the greeting until a message that came while idling has been read; what lies above cuts nothing. */
const SESSION_BYTES = 6_000
const STEP = isLong ? 1 : 100
const CLOCK = { clock: scaledClock(300) }

test(
  'mail that comes while the connection is cut at any byte is told once',
  async () => {
    const dovecot = await startLabDovecot()
    onTestFinished(() => dovecot.stop())
    const user = await dovecot.addUser()
    const relay = await startCuttableRelay({ host: dovecot.host, port: dovecot.imapPort })
    onTestFinished(() => relay.stop())
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    await addAccount(store, { host: relay.host, imapPort: relay.port }, user)
    await dovecot.deliver(user, mail('before'))
    await whileSyncing(store, () => synced(store), CLOCK)

    const told = async ({ after = 0 } = {}) =>
      (await store.read.select().from(events).where(gt(events.id, after))).flatMap(
        ({ kind, data }) => (kind === 'message.received' ? [String(data['subject'])] : []),
      )
    const newestId = async () =>
      (await store.read.select({ id: max(events.id) }).from(events))[0]?.id ?? 0
    const expected: string[] = []
    for (let bytes = 1; bytes < SESSION_BYTES; bytes += STEP) {
      const [away, idle] = [`away ${bytes}`, `idle ${bytes}`]
      await dovecot.deliver(user, mail(away))
      relay.cutNextAfter(bytes)
      const after = await newestId()
      const isTold = (subject: string) =>
        eventually(async () => expect(await told({ after })).toContain(subject))
      await whileSyncing(
        store,
        async () => {
          await isTold(away)
          await dovecot.deliver(user, mail(idle))
          await isTold(idle)
        },
        CLOCK,
      )
      expected.push(away, idle)
    }
    await whileSyncing(store, () => synced(store), CLOCK)
    expect(await told()).toEqual(expected)
  },
  isLong ? 2_400_000 : 300_000,
)
