import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { type HostileRequest, startHostileImap } from '../lab/hostile-imap.ts'
import { addAccount, startSync } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'

const BEFORE = { modseq: 5, flags: '\\Flagged \\Seen' }
const AFTER = { modseq: 9, flags: '\\Flagged' }

/** The line before the one that ends the answer. */
const before = (answer: string, line: string) => answer.replace(/(?=^\w+ OK )/m, `${line}\r\n`)

/** A server with mod-sequences, whose first message another client marks as unread when `change` is called. */
function marking() {
  let first = BEFORE
  return {
    isChanged: () => first === AFTER,
    /** What is pushed of the change, with the UID or, as older servers do, without. */
    change(item = 'UID 1 ') {
      first = AFTER
      return `* 1 FETCH (${item}FLAGS (${AFTER.flags}) MODSEQ (${AFTER.modseq}))`
    },
    answer({ tag, command, args }: HostileRequest, honest: string) {
      if (command === 'ENABLE') return `* ENABLED CONDSTORE\r\n${honest}`
      if (command === 'SELECT') return before(honest, `* OK [HIGHESTMODSEQ ${first.modseq}] Ok`)
      const [, since] = /CHANGEDSINCE (\d+)/.exec(args) ?? []
      if (command !== 'UID FETCH' || since === undefined) return honest
      const row = `* 1 FETCH (UID 1 FLAGS (${first.flags}) MODSEQ (${first.modseq}))\r\n`
      return `${Number(since) < first.modseq ? row : ''}${tag} OK UID FETCH completed\r\n`
    },
  }
}

type Server = ReturnType<typeof marking>
/** What is sent at the moment of the change in place of `answer`; undefined at all other moments. */
type Moment = (server: Server, request: HostileRequest, answer: string) => string | undefined

const isLook = ({ command, args }: HostileRequest) =>
  command === 'UID FETCH' && args.includes('CHANGEDSINCE')

const MOMENTS: readonly (readonly [string, Moment])[] = [
  [
    'while the client idles',
    (server, { command }, answer) =>
      command === 'IDLE' ? `${answer}${server.change()}\r\n` : undefined,
  ],
  [
    'while the client idles, without its UID',
    (server, { command }, answer) =>
      command === 'IDLE' ? `${answer}${server.change('')}\r\n` : undefined,
  ],
  [
    'as the client ends its IDLE',
    (server, { command }, answer) =>
      command === 'DONE' ? before(answer, server.change()) : undefined,
  ],
  [
    'as the mailbox is opened',
    (server, { command, args }, answer) =>
      command === 'SELECT' && args.startsWith('INBOX')
        ? before(answer, server.change())
        : undefined,
  ],
  [
    'after all that a look has found',
    (server, request, answer) => (isLook(request) ? before(answer, server.change()) : undefined),
  ],
  [
    'after all that a look has found, without its UID',
    (server, request, answer) => (isLook(request) ? before(answer, server.change('')) : undefined),
  ],
]

test.for(MOMENTS)(
  'a flag that changes %s is told once (peer: EmailEngine #18)',
  async ([name, moment]) => {
    const imap = await startHostileImap()
    onTestFinished(() => imap.stop())
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    await addAccount(store, imap, imap.user)
    const server = marking()
    let idles = 0
    imap.behave({
      capability: 'IMAP4rev1 IDLE ENABLE CONDSTORE',
      answer(request, honest) {
        if (request.command === 'IDLE') idles += 1
        const answer = server.answer(request, honest)
        // An account idles once it has been synced: from then on changes are told.
        const isDue = idles > 0 && !server.isChanged()
        return (isDue ? moment(server, request, answer) : undefined) ?? answer
      },
    })
    // What is pushed is not to be found by a later look.
    const looksSoon = !name.startsWith('while')
    startSync(store, looksSoon ? { clock: scaledClock(300) } : {})
    const told = async () =>
      (await store.read.select().from(events)).map(({ kind, data }) =>
        [kind, data['subject'], data['change'], data['origin']].join(' '),
      )
    const once = ['message.updated INBOX 0 unread external']
    await eventually(async () => expect(await told()).toEqual(once))
    const seen = idles
    await eventually(async () => expect(idles).toBeGreaterThan(looksSoon ? seen + 2 : 1))
    expect(await told()).toEqual(once)
  },
)
