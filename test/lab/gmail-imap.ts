import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { LOOPBACK } from '../../cli/commands/local/demo/loopback.ts'
import { type AccountOptions, type Arrival, GmailAccount } from './gmail/account.ts'
import { serveConnection } from './gmail/connection.ts'
import { GMAIL_ROOT, takeHome } from './gmail/mailbox.ts'
import { type GmailMessage, setSharedFlag, sharedFlags } from './gmail/message.ts'
import { type LabServer, type LabUser, plainClients } from './lab-server.ts'

/** A message as Gmail has it, whatever mailboxes show it. */
export interface GmailState {
  readonly msgid: string
  readonly threadId: string
  readonly user: string
  readonly source: string
  /** Sorted; system labels with a backslash, such as `\Inbox`. */
  readonly labels: readonly string[]
  /** Sorted; \Flagged is the label `\Starred`. */
  readonly flags: readonly string[]
  /** All Mail, unless the message is in Spam or Trash. */
  readonly mailbox: string
}

/** A server that behaves as Gmail's IMAP does, with what else happens to an account: in a browser, by delivery. */
export interface LabGmail extends LabServer {
  addUser(credentials?: Partial<LabUser>): Promise<LabUser>
  /** From now on these, and only these, log the user in by XOAUTH2 and OAUTHBEARER. */
  acceptTokens(user: LabUser, accessTokens: readonly string[]): void
  /** Puts a message into the account of the user, of the first one unless told; gives its X-GM-MSGID. */
  deliver(source: string | Uint8Array, arrival?: Arrival & { readonly user?: LabUser }): string
  /** Replaces all labels; labels that do not exist yet come to be, `\Spam` and `\Trash` are places. */
  setLabels(msgid: string, labels: readonly string[]): void
  setFlags(msgid: string, flags: readonly string[]): void
  trash(msgid: string): void
  deleteForGood(msgid: string): void
  /** All messages of all users, oldest first. */
  state(): readonly GmailState[]
  /** Cuts all connections. */
  cut(): void
}

/** Starts a Gmail for one test or one file of tests, without TLS; stop it at the end. */
export async function startGmail(options: AccountOptions = {}): Promise<LabGmail> {
  const accounts: GmailAccount[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    // A client may leave in the middle of a command.
    serveConnection(socket, accounts).catch(() => socket.destroy())
  }).listen(0, LOOPBACK)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients = plainClients(LOOPBACK, port)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    host: LOOPBACK,
    imapPort: port,
    addUser(credentials = {}) {
      const name = credentials.user ?? `user${accounts.length + 1}@gmail.example`
      const user = { user: name, password: 'secret', email: name, ...credentials }
      accounts.push(new GmailAccount(user, options))
      return Promise.resolve(user)
    },
    secondClient: (user) => clients.connect(user),
    ...outsideChanges(accounts),
    cut,
    async stop() {
      clients.close()
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

function outsideChanges(accounts: readonly GmailAccount[]) {
  const accountOf = (user?: LabUser) => {
    const account = accounts.find((known) => known.user.user === (user ?? known.user).user)
    if (!account) throw new Error('There is no such user.')
    return account
  }
  const find = (msgid: string) => {
    const account = accounts.find(({ messages }) => messages.has(msgid))
    const message = account?.messages.get(msgid)
    if (!account || !message) throw new Error(`There is no message ${msgid}.`)
    return { account, message }
  }
  return {
    acceptTokens(user: LabUser, accessTokens: readonly string[]) {
      accountOf(user).accessTokens = new Set(accessTokens)
    },
    deliver: (source: string | Uint8Array, arrival: Arrival & { readonly user?: LabUser } = {}) =>
      accountOf(arrival.user).add(Buffer.from(source), arrival).msgid,
    setLabels(msgid: string, labels: readonly string[]) {
      const { account, message } = find(msgid)
      account.setLabels(message, labels)
    },
    setFlags(msgid: string, flags: readonly string[]) {
      const { account, message } = find(msgid)
      account.change(message, () => {
        for (const flag of sharedFlags(message)) setSharedFlag(message, flag, false)
        for (const flag of flags) setSharedFlag(message, flag, true)
      })
    },
    trash(msgid: string) {
      const { account, message } = find(msgid)
      account.change(message, () => takeHome({ place: 'trash' }, message))
    },
    deleteForGood(msgid: string) {
      const { account, message } = find(msgid)
      account.deleteForGood(message)
    },
    state: () =>
      accounts.flatMap((account) =>
        [...account.messages.values()].map((message) => stateOf(account, message)),
      ),
  }
}

function stateOf(account: GmailAccount, message: GmailMessage): GmailState {
  const { msgid, threadId, source, labels, place } = message
  const home = account.mailboxes.find(({ home }) => 'place' in home && home.place === place)
  return {
    msgid,
    threadId,
    user: account.user.user,
    source: source.toString(),
    labels: [...labels].toSorted(),
    flags: sharedFlags(message),
    mailbox: home?.path ?? `${GMAIL_ROOT}/All Mail`,
  }
}
