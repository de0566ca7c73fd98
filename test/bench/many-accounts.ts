import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { accountRows } from './account-rows.ts'
import type { IdleService } from './account-rows.ts'
import { benchDirectory } from './bench-directory.ts'
import { memoryOfBoth, pidsOf } from './both-processes.ts'
import { addAccount, createToken } from './commands.ts'
import { generatedMailbox } from './generated-mailbox.ts'
import { httpClient } from './http-client.ts'
import { startLabServers } from './lab-servers.ts'
import type { LabServers } from './lab-servers.ts'
import { connectionsTo, memoryOf } from './processes.ts'
import { watched, watchOf } from './process-watch.ts'
import { rest } from './rest.ts'
import { say } from './say.ts'
import { startServer, startService } from './service.ts'
import { stretch } from './stretch.ts'
import type { Row } from './table.ts'
import { untilSynced } from './until-synced.ts'

const BARE_CLIENTS = fileURLToPath(import.meta.resolve('./bare-clients.ts'))
const MESSAGES_EACH = 5
/** As many as there are cores, most of the time. */
const ADDED_AT_ONCE = 2

/**
 * What an account costs in which nothing happens: the memory with many of them, less that with one. IMAP
 * is compressed and goes over TLS, as with most providers.
 */
export async function measureManyAccounts(
  stack: AsyncDisposableStack,
  accounts: number,
): Promise<readonly Row[]> {
  const directory = await benchDirectory(stack)
  const servers = await startLabServers(stack, { compresses: true })
  say(`adding ${accounts} accounts`)
  const users = await Promise.all(Array.from({ length: accounts }, () => servers.addUser()))
  const mailbox = generatedMailbox(accounts * MESSAGES_EACH)
  for (const user of users) await seedMaildir(user, 'INBOX', stretch(mailbox, MESSAGES_EACH))
  const lab = { directory, dataDir: join(directory, 'data'), servers }

  await addAccounts(lab, users.slice(0, 1))
  const token = await createToken(lab.dataDir)
  await runService(lab, { token, accounts: 1 })
  say('one account at rest')
  const one = await runService(lab, { token, accounts: 1, rest: true })
  await addAccounts(lab, users.slice(1))
  say(`${accounts} accounts, first sync`)
  const { syncedMs: firstSyncMs } = await runService(lab, { token, accounts })
  say(`${accounts} accounts at rest`)
  const many = await runService(lab, { token, accounts, rest: true })
  say('the connections alone')
  const connectionBytes =
    ((await bareClientsBytes(lab, users)) - (await bareClientsBytes(lab, users.slice(0, 1)))) /
    (accounts - 1)
  return accountRows({ accounts, one, many, firstSyncMs, connectionBytes })
}

interface Lab {
  readonly directory: string
  readonly dataDir: string
  readonly servers: LabServers
}

async function addAccounts(
  { dataDir, servers }: Lab,
  users: readonly DovecotUser[],
): Promise<void> {
  const { dovecot, smtp } = servers
  const imap = { host: dovecot.host, port: dovecot.imapsPort, tls: 'implicit' } as const
  const waiting = [...users]
  const addOn = async () => {
    for (let user = waiting.shift(); user; user = waiting.shift())
      await addAccount(dataDir, { imap, smtp, user }, ['--no-test'])
  }
  await Promise.all(Array.from({ length: ADDED_AT_ONCE }, addOn))
}

interface Run {
  readonly token: string
  readonly accounts: number
  /** Whether it rests before it is looked at. */
  readonly rest?: boolean
}

/** Runs a service until all its accounts have completed a sync, and what it is then. */
async function runService(lab: Lab, run: Run): Promise<IdleService> {
  const { directory, dataDir, servers } = lab
  const sinceMs = Date.now()
  const startMs = performance.now()
  const service = await startService(directory, dataDir, {
    ...watched(directory),
    NODE_EXTRA_CA_CERTS: servers.dovecot.certificate.caFile,
  })
  const api = httpClient(service.url, run.token)
  try {
    const messages = run.accounts * MESSAGES_EACH
    const syncedMs = await untilSynced(api, { accounts: run.accounts, messages, sinceMs })
    if (run.rest) await rest()
    assertConnected(servers, run.accounts)
    const { memory } = await watchOf((await pidsOf(service)).sidecar, directory)
    return { syncedMs: syncedMs - startMs, bytes: await memoryOfBoth(service), sidecar: memory }
  } finally {
    api.close()
    await service.stop()
  }
}

/** What has lost its connections is cheap for the wrong reason. */
function assertConnected({ dovecot }: LabServers, accounts: number): void {
  const connections = connectionsTo(dovecot.imapsPort)
  if (connections < accounts)
    throw new Error(`Only ${connections} connections are open for ${accounts} accounts.`)
}

/** The memory of a process with one imapflow client for each user. */
async function bareClientsBytes(lab: Lab, users: readonly DovecotUser[]): Promise<number> {
  const { dovecot } = lab.servers
  const clients = {
    host: dovecot.host,
    port: dovecot.imapsPort,
    users: users.map(({ user, password }) => ({ user, password })),
  }
  const server = await startServer(lab.directory, [BARE_CLIENTS], {
    healthPath: '/',
    environmentOf: (port) => ({
      PORT: String(port),
      BENCH_CLIENTS: JSON.stringify(clients),
      NODE_EXTRA_CA_CERTS: dovecot.certificate.caFile,
    }),
  })
  try {
    assertConnected(lab.servers, users.length)
    return memoryOf(server.pid).bytes
  } finally {
    await server.stop()
  }
}
