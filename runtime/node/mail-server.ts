import { ImapFlow, type ImapFlowError, type ListResponse } from 'imapflow'
import { SERVICE_NAME, SERVICE_VERSION } from '../../domain/identity.ts'
import { MailServerError } from '../ports/mail-server-error.ts'
import { SOURCE_BYTES_MAX } from '../ports/mail-server.ts'
import type {
  FetchedMessage,
  Mailbox,
  MailServer,
  MailSession,
  SelectedMailbox,
  ServerSettings,
} from '../ports/mail-server.ts'
import { tlsWords } from './tls-words.ts'

const CONNECT_TIMEOUT_MS = 30_000
const GREETING_TIMEOUT_MS = 16_000
/** Below the 30 minutes after which a server may drop an idle client (RFC 2177). */
const IDLE_RENEWED_AFTER_MS = 14 * 60_000
/** Above the largest source that is asked for. A server that sends more is not to be trusted. */
const LITERAL_BYTES_MAX = SOURCE_BYTES_MAX + 28 * 1024 * 1024
const RESPONSE_BYTES_MAX = LITERAL_BYTES_MAX + 1024 * 1024
const LOGOUT_TIMEOUT_MS = 2_000
/** Asked for all mailboxes with the list, in one command where the server can (RFC 5819). */
const STATUS_QUERY = { messages: true, uidNext: true, uidValidity: true, highestModseq: true }

/** IMAP over imapflow. */
export function imapflowMailServer(): MailServer {
  return {
    async connect(settings, signal) {
      const client = newClient(settings)
      // An error event without a listener ends the process, so the listener comes before the connection.
      client.on('error', () => client.close())
      const giveUp = () => client.close()
      signal?.addEventListener('abort', giveUp, { once: true })
      try {
        await translated(() => client.connect())
        return session(client)
      } finally {
        signal?.removeEventListener('abort', giveUp)
      }
    },
  }
}

function newClient({ host, port, tls, user, password }: ServerSettings): ImapFlow {
  return new ImapFlow({
    host,
    port,
    secure: tls === 'implicit',
    doSTARTTLS: tls === 'starttls',
    auth: { user, pass: password },
    clientInfo: { name: SERVICE_NAME, version: SERVICE_VERSION },
    logger: false,
    disableAutoIdle: true,
    maxIdleTime: IDLE_RENEWED_AFTER_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    maxLiteralSize: LITERAL_BYTES_MAX,
    maxResponseSize: RESPONSE_BYTES_MAX,
  })
}

function session(client: ImapFlow): MailSession {
  const changes = changeLatch(client)
  return {
    listMailboxes: () =>
      translated(async () => (await client.list({ statusQuery: STATUS_QUERY })).map(mailbox)),
    select: (path) =>
      translated(async () => {
        const opened = await client.mailboxOpen(path)
        return { ...selected(opened), uidNext: opened.uidNext ?? (await highestUid(client)) + 1 }
      }),
    exists: () => openMailbox(client).exists,
    searchUids: () =>
      translated(async () => {
        const uids = await client.search({ all: true }, { uid: true })
        if (!uids)
          throw new MailServerError('refused', 'The server refused a search.', { retryable: true })
        return uids.toSorted((a, b) => a - b)
      }),
    fetchMessages: (uids) => fetchMessages(client, uids),
    fetchFlags: (changedSince) =>
      translated(async () => {
        if (openMailbox(client).exists === 0) return []
        const options = changedSince === undefined ? { uid: true } : { uid: true, changedSince }
        const fetched = await client.fetchAll('1:*', { uid: true, flags: true }, options)
        return fetched.map(({ uid, flags, modseq }) => ({
          uid,
          flags: sortedFlags(flags),
          ...(modseq && { modseq }),
        }))
      }),
    idle: (signal) => changes.wait(signal),
    markSeen: () => changes.reset(),
    async close() {
      const timer = setTimeout(() => client.close(), LOGOUT_TIMEOUT_MS)
      await client.logout().catch(() => client.close())
      clearTimeout(timer)
    },
  }
}

/** Remembers that the server reported a change in the open mailbox until somebody has looked. */
function changeLatch(client: ImapFlow) {
  let changed = false
  let wakeUp: (() => void) | undefined
  const report = () => {
    changed = true
    wakeUp?.()
  }
  for (const event of ['exists', 'expunge', 'flags', 'highestModseq', 'close'])
    client.on(event, report)

  return {
    reset: () => {
      changed = false
    },
    async wait(signal: AbortSignal) {
      if (changed || signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      wakeUp = () => resolve()
      signal.addEventListener('abort', wakeUp, { once: true })
      // The next command ends the IDLE; a failure of it shows there too.
      void client.idle().then(wakeUp, wakeUp)
      await promise
      signal.removeEventListener('abort', wakeUp)
    },
  }
}

async function* fetchMessages(
  client: ImapFlow,
  uids: readonly number[],
): AsyncGenerator<FetchedMessage> {
  try {
    const sizes = await fetchSizes(client, uids)
    const isLarge = (uid: number) => (sizes.get(uid) ?? 0) > SOURCE_BYTES_MAX
    const asked = [...sizes.keys()]
    yield* fetchParts(client, { uids: asked.filter((uid) => !isLarge(uid)), part: 'source', sizes })
    yield* fetchParts(client, { uids: asked.filter(isLarge), part: 'headers', sizes })
  } catch (error) {
    throw mailServerError(error)
  }
}

async function fetchSizes(
  client: ImapFlow,
  uids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (uids.length === 0) return new Map()
  const rows = await client.fetchAll(sequenceSet(uids), { uid: true, size: true }, { uid: true })
  return new Map(rows.map(({ uid, size }) => [uid, size ?? 0]))
}

interface Parts {
  readonly uids: readonly number[]
  readonly part: 'source' | 'headers'
  readonly sizes: ReadonlyMap<number, number>
}

async function* fetchParts(
  client: ImapFlow,
  { uids, part, sizes }: Parts,
): AsyncGenerator<FetchedMessage> {
  if (uids.length === 0) return
  const query = { uid: true, flags: true, internalDate: true, [part]: true }
  for await (const fetched of client.fetch(sequenceSet(uids), query, { uid: true })) {
    const source = fetched[part]
    // A server may answer for a message that is just being expunged without its source.
    if (!source) continue
    yield {
      uid: fetched.uid,
      flags: sortedFlags(fetched.flags),
      internalDateMs: dateMs(fetched.internalDate),
      source,
      size: part === 'source' ? source.byteLength : (sizes.get(fetched.uid) ?? source.byteLength),
      ...(fetched.modseq && { modseq: fetched.modseq }),
      ...(fetched.emailId && { emailId: fetched.emailId }),
    }
  }
}

/** UIDs as an IMAP sequence set, runs as ranges: a command line has a length limit. */
function sequenceSet(uids: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const uid of uids.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && uid === last[1] + 1) last[1] = uid
    else ranges.push([uid, uid])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}:${to}`)).join(',')
}

function mailbox(listed: ListResponse): Mailbox {
  const unselectable = listed.flags.has('\\Noselect') || listed.flags.has('\\NonExistent')
  return {
    path: listed.path,
    ...(listed.delimiter && { delimiter: listed.delimiter }),
    ...(listed.specialUse && { specialUseAttribute: listed.specialUse }),
    specialUseDeclared: listed.specialUseSource === 'extension' || listed.specialUse === '\\Inbox',
    selectable: !unselectable,
    ...status(listed),
  }
}

function status({ status: reported }: ListResponse): Pick<Mailbox, 'status'> {
  if (reported?.messages === undefined || !reported.uidNext || !reported.uidValidity) return {}
  const { messages: exists, uidNext, uidValidity, highestModseq } = reported
  return { status: { exists, uidNext, uidValidity, ...(highestModseq && { highestModseq }) } }
}

function selected(opened: ReturnType<typeof openMailbox>): SelectedMailbox {
  return {
    uidValidity: opened.uidValidity,
    uidNext: opened.uidNext,
    exists: opened.exists,
    ...(opened.highestModseq && !opened.noModseq && { highestModseq: opened.highestModseq }),
    ...(opened.mailboxId && { mailboxId: opened.mailboxId }),
  }
}

/** For servers that do not say UIDNEXT when a mailbox is opened, such as Courier. */
async function highestUid(client: ImapFlow): Promise<number> {
  if (openMailbox(client).exists === 0) return 0
  const newest = await client.fetchOne('*', { uid: true })
  return newest ? newest.uid : 0
}

function openMailbox(client: ImapFlow) {
  if (!client.mailbox)
    throw new MailServerError('unreachable', 'No mailbox is open.', { retryable: true })
  return client.mailbox
}

/** Without \Recent, which is of one session and no property of the message (RFC 3501 section 2.3.2). */
const sortedFlags = (flags: ReadonlySet<string> | undefined) =>
  [...(flags ?? [])].filter((flag) => flag !== '\\Recent').toSorted()

function dateMs(date: Date | string | undefined): number {
  const ms = date === undefined ? Number.NaN : new Date(date).getTime()
  return Number.isNaN(ms) ? Date.now() : ms
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw mailServerError(error)
  }
}

/** Response codes that say "not now" rather than "not you" (RFC 5530). */
const TEMPORARY = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'THROTTLED'])

function mailServerError(error: unknown): MailServerError {
  if (error instanceof MailServerError) return error
  const failure = error as ImapFlowError
  const words = failure.responseText ?? tlsWords(failure) ?? failure.reason ?? failure.message
  if (failure.authenticationFailed) {
    const retryable =
      failure.code === 'ETHROTTLE' || TEMPORARY.has(failure.serverResponseCode ?? '')
    return new MailServerError('auth', words, { retryable, cause: error })
  }
  const kind = failure.responseStatus ? 'refused' : 'unreachable'
  return new MailServerError(kind, words, { retryable: true, cause: error })
}
