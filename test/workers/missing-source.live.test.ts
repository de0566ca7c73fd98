import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { type HostileRequest, startHostileImap } from '../lab/hostile-imap.ts'
import { addAccount, startSync } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'

const capability = 'IMAP4rev1 IDLE CONDSTORE ENABLE'

/** Keeps mod-sequences, of which none ever moves: no delta will name a message again. */
function condstore(request: HostileRequest, honest: string): string {
  if (request.command === 'SELECT') {
    return honest.replace('* FLAGS', '* OK [HIGHESTMODSEQ 10] Ok\r\n* FLAGS')
  }
  if (request.command === 'ENABLE') return `* ENABLED CONDSTORE\r\n${honest}`
  if (request.command === 'STATUS') return honest.replace(')', ' HIGHESTMODSEQ 10)')
  return request.args.includes('CHANGEDSINCE') ? `${request.tag} OK none\r\n` : honest
}

const withoutFirstSource = (honest: string) =>
  honest.replace(/BODY\[\] \{(\d+)\}\r\n[^]*?Text\.\r\n/, 'BODY[] NIL')

test('a source that a server once left out comes later, though no delta names it again', async () => {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  await addAccount(store, imap, imap.user)
  const shown = () => store.read.select().from(accounts)

  const answer = (request: HostileRequest, honest: string) =>
    withoutFirstSource(condstore(request, honest))
  imap.behave({ capability, answer })
  startSync(store, { clock: scaledClock(300) })
  await eventually(async () => expect(await shown()).toMatchObject([{ state: 'ok' }]))
  expect(await storedMailbox(store)).not.toEqual(imap.mailbox())
  imap.behave({ capability, answer: condstore })
  await eventually(async () => expect(await storedMailbox(store)).toEqual(imap.mailbox()), 20_000)
})
