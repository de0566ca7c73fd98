import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { measureBatchSpeed } from './batch-speed.ts'
import { openBenchDatabase } from './bench-database.ts'
import { benchDirectory, flushDisks } from './bench-directory.ts'
import { measureChangesAtRest, measureChangesDuringSync } from './change-speed.ts'
import { addAccount, createToken } from './commands.ts'
import { measureFilterSpeed } from './filter-speed.ts'
import { measureFlagTravel } from './flag-travel.ts'
import { generatedMailbox } from './generated-mailbox.ts'
import { httpClient } from './http-client.ts'
import { startLabServers } from './lab-servers.ts'
import type { LabServers } from './lab-servers.ts'
import { allMessageIds } from './mailbox.ts'
import { watched } from './process-watch.ts'
import { say } from './say.ts'
import { startService } from './service.ts'
import type { Row } from './table.ts'
import { untilSynced } from './until-synced.ts'

/** Of the mailbox that is acted on. No round number: one just as large as the other would share its contents. */
const OWN_MESSAGES = 2_003
const SETTLED_MS = 5_000

/** Flags, moves and rules on a mailbox of its own, at rest and while a mailbox of `messages` is synced for the first time. */
export async function measureActing(
  stack: AsyncDisposableStack,
  messages: number,
): Promise<readonly Row[]> {
  const directory = await benchDirectory(stack)
  const dataDir = join(directory, 'data')
  const servers = await startLabServers(stack)
  say(`seeding ${OWN_MESSAGES} and ${messages} messages`)
  const user = await seededUser(servers, OWN_MESSAGES)
  const other = await seededUser(servers, messages)
  await flushDisks()

  const service = await startService(directory, dataDir, watched(directory))
  stack.defer(() => service.stop())
  const api = httpClient(service.url, await createToken(dataDir))
  stack.defer(() => api.close())
  const { dovecot, smtp } = servers
  const imap = { host: dovecot.host, port: dovecot.imapPort }
  await addAccount(dataDir, { imap, smtp, user })
  await untilSynced(api, { accounts: 1, messages: OWN_MESSAGES })
  await delay(SETTLED_MS)

  const database = openBenchDatabase(stack, pathToFileURL(join(dataDir, 'svc.db')).href)
  const ids = await allMessageIds(api)
  const rows: Row[] = []
  say('changes at rest')
  const atRest = await measureChangesAtRest(dataDir, api, ids)
  rows.push(...atRest.rows)
  await database.untilPushed()
  say('flags there and back')
  rows.push(...(await measureFlagTravel({ dovecot, user, api, database, ids })))
  say('batches')
  rows.push(...(await measureBatchSpeed({ service, directory, api, database, ids })))
  say('changes during a first sync')
  rows.push(
    await measureChangesDuringSync({
      api,
      ids,
      atRestMs: atRest.steadyMs,
      addAccount: () => addAccount(dataDir, { imap, smtp, user: other }),
      synced: { accounts: 2, messages: OWN_MESSAGES + messages },
    }),
  )
  say('rules')
  rows.push(await measureFilterSpeed(api, database))
  return rows
}

async function seededUser(servers: LabServers, messages: number) {
  const user = await servers.addUser()
  await seedMaildir(user, 'INBOX', generatedMailbox(messages))
  return user
}
