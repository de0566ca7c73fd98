import { eq } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { contents } from '../../db/schema/contents.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { memoryWake } from '../../runtime/memory/wake.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import { imapflowMailServer } from '../../runtime/node/imap/mail-server.ts'
import { networkPorts } from '../../runtime/node/network-ports.ts'
import { nodemailerSubmission } from '../../runtime/node/smtp/submission.ts'
import type { Logger } from '../../runtime/ports/logger.ts'
import type { Wake } from '../../runtime/ports/wake.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { accountPrompts } from '../../workers/account-prompts.ts'
import type { AccountSyncPorts } from '../../workers/account-sync.ts'
import { accountTurns } from '../../workers/account-turns.ts'
import { searchDeep } from '../../workers/deep-search.ts'
import { adoptDrafts } from '../../workers/draft-adoption.ts'
import { interactiveLanes } from '../../workers/interactive-lanes.ts'
import { pushMailboxChanges } from '../../workers/mailbox-changes.ts'
import { sendOutbox } from '../../workers/outbox.ts'
import type { PushPorts } from '../../workers/push/push-ports.ts'
import { superviseAccounts } from '../../workers/supervisor.ts'
import type { LabServer, LabUser } from '../lab/lab-server.ts'
import { eventually } from './eventually.ts'
import { inlineSources } from './inline-sources.ts'
import { inlineBodyRenderer } from './inline-body-renderer.ts'
import { inlineSourceReader } from './inline-source-reader.ts'
import { noTranscripts } from './no-transcripts.ts'
import { TEST_CONFIG } from './test-config.ts'

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** The password is its own seal here: sealing is proven elsewhere. */
const openBox = { seal: async (text: string) => text, open: async (text: string) => text }

/** What the work of a sidecar needs. */
type SidecarPorts = AccountSyncPorts & PushPorts

/** Everything a sync needs, over real sockets, with the rest in memory. */
export function syncPorts(store: Store, ports: Partial<SidecarPorts> = {}): SidecarPorts {
  const metrics = memoryMetrics()
  const sources = inlineSources()
  return {
    store,
    clock: systemClock,
    wake: memoryWake(),
    logger: silent,
    metrics,
    mailServer: imapflowMailServer({ metrics }),
    outbound: networkPorts('private').outbound,
    ...sources,
    sourceReader: inlineSourceReader(ports.sourceStore ?? sources.sourceStore),
    submission: nodemailerSubmission(),
    bodyRenderer: inlineBodyRenderer,
    secretBox: openBox,
    transcripts: noTranscripts,
    config: TEST_CONFIG,
    ...ports,
  }
}

export async function addAccount(
  store: Store,
  imap: Pick<LabServer, 'host' | 'imapPort'>,
  user: LabUser,
): Promise<number> {
  const server = {
    host: imap.host,
    port: imap.imapPort,
    tls: 'none',
    user: user.user,
  } as const
  const [rows] = await store.commit((write) => [
    write
      .insert(accounts)
      .values({
        name: user.email,
        nameKey: user.email,
        email: user.email,
        imapHost: server.host,
        imapPort: server.port,
        imapTls: server.tls,
        imapUser: server.user,
        smtpHost: server.host,
        smtpPort: 25,
        smtpTls: server.tls,
        smtpUser: server.user,
        sealedPassword: user.password,
        createdAt: 0,
      })
      .returning({ id: accounts.id }),
  ])
  return rows[0]?.id ?? 0
}

/**
 * Syncs all accounts in this process, as a sidecar does, until the test ends; what it returns wakes it. `ports`
 * stand in for those of the lab.
 */
export function startSync(store: Store, ports: Partial<SidecarPorts> = {}): Wake {
  const { wake, stop } = runSync(store, ports)
  onTestFinished(stop)
  return wake
}

/** Syncs all accounts until `check` has passed. */
export async function whileSyncing(
  store: Store,
  check: () => Promise<unknown>,
  ports: Partial<SidecarPorts> = {},
): Promise<void> {
  const { stop } = runSync(store, ports)
  try {
    await check()
  } finally {
    await stop()
  }
}

function runSync(
  store: Store,
  given: Partial<SidecarPorts>,
): { wake: Wake; stop: () => Promise<void> } {
  const stopping = new AbortController()
  const ports = syncPorts(store, given)
  const turns = accountTurns()
  const prompts = accountPrompts()
  const lanes = interactiveLanes(ports)
  const sidecarId = 'sidecar'
  const { signal } = stopping
  signal.addEventListener('abort', () => void lanes.close(), { once: true })
  const running = Promise.all([
    superviseAccounts(ports, { sidecarId, turns, prompts }, signal),
    pushMailboxChanges(ports, { sidecarId, turns, prompts, lanes }, signal),
    adoptDrafts(ports, { sidecarId }, signal),
    searchDeep(ports, { sidecarId, prompts }, signal),
    sendOutbox(ports, { sidecarId, prompts }, signal),
  ])
  const stop = async () => {
    stopping.abort()
    await running
    await lanes.close()
    await ports.submission.close()
  }
  return { wake: ports.wake, stop }
}

/** What the store shows, in the words of a mailbox. */
export async function shownMail(store: Store) {
  return store.read
    .select({
      id: messages.id,
      folderId: folders.id,
      path: folders.path,
      subject: contents.subject,
      read: messages.read,
      starred: messages.starred,
      labels: messages.labels,
      uid: messages.uid,
    })
    .from(messages)
    .innerJoin(folders, eq(folders.id, messages.folderId))
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .orderBy(messages.id)
}

/** Resolves when the only account is in sync. */
export const synced = (store: Store) =>
  eventually(async () =>
    expect(await store.read.select().from(accounts)).toMatchObject([{ state: 'ok' }]),
  )

/** Resolves when the only account has been synced once by whoever holds it: from then on changes are told. */
export const syncedOnce = (store: Store) =>
  eventually(async () =>
    expect(await store.read.select().from(accountLeases)).toMatchObject([{ syncedOnce: true }]),
  )

/** What the store shows, oldest id first. */
export const subjects = async (store: Store) =>
  (await shownMail(store)).map(({ subject }) => subject)
