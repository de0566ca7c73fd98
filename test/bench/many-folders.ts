import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { benchDirectory } from './bench-directory.ts'
import { addAccount, createToken } from './commands.ts'
import { generatedMailbox } from './generated-mailbox.ts'
import { httpClient } from './http-client.ts'
import type { HttpClient } from './http-client.ts'
import { startLabServers } from './lab-servers.ts'
import { allAccounts } from './mailbox.ts'
import { mailboxOfMbsync } from './peer-sync.ts'
import type { PlainServer } from './peer-sync.ts'
import { until } from './processes.ts'
import { startRelay } from './relay.ts'
import type { Relay } from './relay.ts'
import { say } from './say.ts'
import { startService } from './service.ts'
import { median } from './statistics.ts'
import { stretch } from './stretch.ts'
import { ms, number } from './table.ts'
import type { Row } from './table.ts'
import { untilSynced } from './until-synced.ts'

const FOLDERS = 30
/** Those that the server makes by itself. */
const OWN_FOLDERS = ['INBOX', 'Sent', 'Drafts', 'Archive', 'Junk', 'Trash']
const ROUNDS = 9
const SETTLED_MS = 5_000
const WITHIN_MS = 120_000
const LOOK_EVERY_MS = 100
const BAR_MS = 300

/**
 * How soon a service whose connection was cut knows that nothing has changed in any folder: from its next login to
 * the end of its pass, whatever it waited before.
 */
export async function measureManyFolders(
  stack: AsyncDisposableStack,
  { messages, withPeers }: { readonly messages: number; readonly withPeers: boolean },
): Promise<readonly Row[]> {
  const directory = await benchDirectory(stack)
  const dataDir = join(directory, 'data')
  const servers = await startLabServers(stack)
  const { dovecot, smtp } = servers
  const user = await servers.addUser()
  say(`seeding ${messages} messages in ${FOLDERS} folders`)
  await seedFolders(user, messages)
  const relay = stack.adopt(await startRelay(dovecot.imapPort), (running) => running.stop())

  say('first sync of all folders')
  const service = await startService(directory, dataDir)
  stack.defer(() => service.stop())
  const api = httpClient(service.url, await createToken(dataDir))
  stack.defer(() => api.close())
  await addAccount(dataDir, { imap: { ...relay, port: relay.imapPort }, smtp, user })
  await untilSynced(api, { accounts: 1, messages })
  await delay(SETTLED_MS)

  say('reconnect')
  const rounds: Reconnection[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await reconnected(relay, api))
  const floorMs = withPeers ? await mbsyncMs(join(directory, 'mbsync'), relay, user) : undefined
  return [row(messages, rounds, floorMs)]
}

/** Spreads one mailbox over the folders, in stretches of it. */
async function seedFolders(user: DovecotUser, messages: number): Promise<void> {
  const mailbox = generatedMailbox(messages)
  for (let n = 0; n < FOLDERS; n += 1) {
    const share = Math.floor(((n + 1) * messages) / FOLDERS) - Math.floor((n * messages) / FOLDERS)
    await seedMaildir(user, OWN_FOLDERS[n] ?? `Folder ${n + 1}`, stretch(mailbox, share))
  }
}

interface Reconnection {
  readonly fromLoginMs: number
  readonly fromConnectMs: number
}

/** Cuts the connection and waits for the pass after the next login. */
async function reconnected(relay: Relay, api: HttpClient): Promise<Reconnection> {
  const cutAtMs = Date.now()
  relay.cut()
  const syncedAtMs = await until('another sync', WITHIN_MS, async () => {
    await delay(LOOK_EVERY_MS)
    const [account] = await allAccounts(api)
    const lastSyncAtMs = Date.parse(account?.last_sync_at ?? '')
    const isSynced = account?.state === 'ok' && lastSyncAtMs > relay.last().loginAtMs
    return isSynced && relay.last().loginAtMs > cutAtMs ? lastSyncAtMs : undefined
  })
  const { connectedAtMs, loginAtMs } = relay.last()
  return { fromLoginMs: syncedAtMs - loginAtMs, fromConnectMs: syncedAtMs - connectedAtMs }
}

/** A run of mbsync that has nothing to do, start of the program and all; the median of some. */
async function mbsyncMs(
  directory: string,
  server: PlainServer,
  user: DovecotUser,
): Promise<number> {
  const mailbox = await mailboxOfMbsync(directory, server, user)
  await mailbox.run()
  const tookMs: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) tookMs.push((await mailbox.run()).tookMs)
  return median(tookMs)
}

function row(messages: number, rounds: readonly Reconnection[], floorMs: number | undefined): Row {
  const fromLoginMs = rounds.map((round) => round.fromLoginMs)
  const tookMs = median(fromLoginMs)
  const count = messages.toLocaleString('en-GB')
  return {
    work: `resync with nothing new after a cut connection, ${FOLDERS} folders, ${count} messages, from the login, p50 / longest; from the connect, p50`,
    figure: `${ms(tookMs)} / ${ms(Math.max(...fromLoginMs))}; ${ms(median(rounds.map((round) => round.fromConnectMs)))}`,
    floor:
      floorMs === undefined ? 'mbsync is not here' : `${ms(floorMs)} (mbsync with nothing to do)`,
    ...(floorMs !== undefined && { ratio: number(tookMs / floorMs) }),
    bar: `p50 ${ms(BAR_MS)}`,
    met: tookMs <= BAR_MS,
  }
}
