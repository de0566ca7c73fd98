import type { Socket } from 'node:net'
import type { GmailAccount } from './account.ts'
import { authenticate } from './authenticate.ts'
import { type Command, readCommand } from './command.ts'
import { carryOut, IDENTITY, refusalText } from './commands.ts'
import type { Session } from './session.ts'
import { SocketReader } from './socket-reader.ts'

const CAPABILITY_BEFORE_LOGIN =
  'IMAP4rev1 UNSELECT IDLE NAMESPACE QUOTA ID XLIST CHILDREN X-GM-EXT-1 XYZZY SASL-IR ' +
  'AUTH=XOAUTH2 AUTH=PLAIN AUTH=PLAIN-CLIENTTOKEN AUTH=OAUTHBEARER'

interface Client {
  command(): Promise<Command | undefined>
  /** One line that is no command; empty after the end. */
  line(): Promise<string>
  write(text: string | Buffer): void
}

/** Speaks IMAP with one client until it leaves. */
export async function serveConnection(
  socket: Socket,
  accounts: readonly GmailAccount[],
): Promise<void> {
  const reader = new SocketReader(socket)
  const client: Client = {
    command: () => readCommand(reader, () => client.write('+ go ahead\r\n')),
    line: async () => (await reader.line()) ?? '',
    write(text) {
      if (!socket.destroyed) socket.write(text)
    },
  }
  client.write('* OK Gimap ready for requests from 127.0.0.1\r\n')
  const account = await logIn(client, accounts)
  if (account) await serveAccount(client, account)
  socket.end()
}

async function logIn(
  client: Client,
  accounts: readonly GmailAccount[],
): Promise<GmailAccount | undefined> {
  const ask = (challenge: string) => {
    client.write(`+ ${challenge}\r\n`)
    return client.line()
  }
  for (;;) {
    const command = await client.command()
    if (!command) return undefined
    const { tag, name } = command
    if (name === 'LOGIN' || name === 'AUTHENTICATE') {
      const outcome = await authenticate(command, accounts, ask).catch(refusalText)
      if (typeof outcome !== 'string') {
        client.write(`${tag} OK ${outcome.user.email} authenticated (Success)\r\n`)
        return outcome
      }
      client.write(`${tag} ${outcome}\r\n`)
    } else client.write(`${answerStranger(name)}${tag} OK Success\r\n`)
    if (name === 'LOGOUT') return undefined
  }
}

function answerStranger(name: string): string {
  if (name === 'CAPABILITY') return `* CAPABILITY ${CAPABILITY_BEFORE_LOGIN}\r\n`
  if (name === 'ID') return IDENTITY
  return name === 'LOGOUT' ? '* BYE LOGOUT Requested\r\n' : ''
}

async function serveAccount(client: Client, account: GmailAccount): Promise<void> {
  const enabled = new Set<string>()
  const session: Session = {
    account,
    enabled,
    view: undefined,
    get isUtf8() {
      return enabled.has('UTF8=ACCEPT')
    },
    write: (text) => client.write(text),
  }
  for (;;) {
    const command = await client.command()
    if (!command) return
    const { tag, name, isUid } = command
    const answer = name === 'IDLE' ? await idle(client, session) : carryOut(session, command)
    const usesNumbers = !isUid && ['FETCH', 'STORE', 'SEARCH'].includes(name)
    writeNews(session, { withExpunges: !usesNumbers })
    client.write(`${tag} ${answer}\r\n`)
    if (name === 'LOGOUT') return
  }
}

async function idle(client: Client, session: Session): Promise<string> {
  client.write('+ idling\r\n')
  const tell = () => writeNews(session, { withExpunges: true })
  const stop = session.account.onChange(tell)
  tell()
  const line = await client.line()
  stop()
  return line.toUpperCase() === 'DONE' ? 'OK IDLE terminated (Success)' : 'BAD Expected DONE'
}

function writeNews(session: Session, options: { withExpunges: boolean }): void {
  const withModseq = session.enabled.has('CONDSTORE')
  const news = session.view?.news({ ...options, withModseq })
  if (news) session.write(news)
}
