import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { benchDirectory, flushDisks } from './bench-directory.ts'
import { memoryOfBoth, showMemory } from './both-processes.ts'
import { addAccount, createToken } from './commands.ts'
import { measureDiskUse } from './disk-use.ts'
import { firstSyncRows } from './first-sync-rows.ts'
import { measureFirstSync } from './first-sync.ts'
import type { FirstSync } from './first-sync.ts'
import { generatedMailbox } from './generated-mailbox.ts'
import { httpClient } from './http-client.ts'
import { startLabServers } from './lab-servers.ts'
import type { LabServers } from './lab-servers.ts'
import { measureListSpeed } from './list-speed.ts'
import { measureMessageSpeed } from './message-speed.ts'
import { measureNewMail } from './new-mail.ts'
import { measurePeers } from './peer-sync.ts'
import { watched } from './process-watch.ts'
import { measureReconnect } from './reconnect.ts'
import { say } from './say.ts'
import { startService } from './service.ts'
import type { Server } from './service.ts'
import { measureStartUp } from './start-up.ts'
import type { Row } from './table.ts'
import { measureWireFloor } from './wire-floor.ts'

const SETTLED_MS = 5_000

/** What is asked of a mailbox. */
interface MailboxBench {
  readonly messages: number
  readonly withPeers: boolean
}

/** A mailbox whose first sync was measured, and what it needs to be worked with. */
interface SyncedMailbox {
  readonly sync: FirstSync
  readonly rows: readonly Row[]
  readonly directory: string
  readonly dataDir: string
  readonly token: string
  readonly user: DovecotUser
  readonly servers: LabServers
}

/** The first sync of a mailbox and everything that is done with it afterwards, in turn. */
export async function measureMailbox(
  stack: AsyncDisposableStack,
  bench: MailboxBench,
): Promise<Pick<SyncedMailbox, 'sync' | 'rows'>> {
  say('start')
  const startUp = await measureStartUp(await benchDirectory(stack))
  const mailbox = await measureSyncOfMailbox(stack, bench)
  const use = await measureUse(stack, mailbox)
  return { sync: mailbox.sync, rows: [startUp, ...mailbox.rows, ...use] }
}

/** The first sync of a mailbox, beside what the same mailbox takes others. What it starts goes on the stack. */
export async function measureSyncOfMailbox(
  stack: AsyncDisposableStack,
  { messages, withPeers }: MailboxBench,
): Promise<SyncedMailbox> {
  const directory = await benchDirectory(stack)
  const dataDir = join(directory, 'data')
  const servers = await startLabServers(stack)
  const { dovecot, smtp } = servers
  const user = await servers.addUser()
  say(`seeding ${messages} messages`)
  await seedMaildir(user, 'INBOX', generatedMailbox(messages))
  await flushDisks()
  say('the wire alone')
  const floor = await measureWireFloor(dovecot, user)
  if (withPeers) say('mbsync and notmuch')
  const peers = withPeers ? await measurePeers(directory, dovecot, user) : undefined
  await flushDisks()

  say('first sync')
  const service = await startService(directory, dataDir, watched(directory))
  stack.defer(() => service.stop())
  const token = await createToken(dataDir)
  const api = httpClient(service.url, token)
  stack.defer(() => api.close())
  const imap = { host: dovecot.host, port: dovecot.imapPort }
  const sync = await measureFirstSync({
    service,
    api,
    directory,
    messages,
    addAccount: () => addAccount(dataDir, { imap, smtp, user }),
  })
  await service.stop()
  const diskUse = await measureDiskUse({ dataDir, messages, peers })
  const rows = [...firstSyncRows(sync, { floor, peers }), ...diskUse]
  return { sync, rows, directory, dataDir, token, user, servers }
}

/** A service on a mailbox that is there. */
async function measureUse(
  stack: AsyncDisposableStack,
  { directory, dataDir, token, user, servers }: SyncedMailbox,
): Promise<readonly Row[]> {
  const service = await startService(directory, dataDir)
  stack.defer(() => service.stop())
  const api = httpClient(service.url, token)
  stack.defer(() => api.close())
  const rows: Row[] = []
  await delay(SETTLED_MS)
  rows.push(await memoryRow(service, 'started again, at rest'))
  say('lists')
  const databaseUrl = pathToFileURL(join(dataDir, 'svc.db')).href
  rows.push(...(await measureListSpeed(directory, databaseUrl, api)))
  say('messages')
  rows.push(...(await measureMessageSpeed(api)))
  say('new mail')
  rows.push(await measureNewMail(servers.dovecot, user, api))
  say('reconnect')
  rows.push(await measureReconnect(service, api))
  await delay(SETTLED_MS)
  rows.push(await memoryRow(service, 'after all this, at rest'))
  return rows
}

const memoryRow = async (service: Server, when: string): Promise<Row> => ({
  work: `memory, ${when}: handlers, sidecar, sum`,
  figure: showMemory(await memoryOfBoth(service)),
})
