import { createMailbox, deleteMailbox, renameMailbox } from './change-labels.ts'
import { type Command, textOf, textsOf } from './command.ts'
import { expungeMessages } from './expunge.ts'
import { fetchMessages } from './fetch.ts'
import { listMailboxes, status } from './list-mailboxes.ts'
import { closeMailbox, openMailbox } from './open-mailbox.ts'
import { Refusal } from './refusal.ts'
import { mailboxName } from './response-text.ts'
import { searchMessages } from './search.ts'
import { type Handler, namedMailbox, type Session, SUCCESS } from './session.ts'
import { storeMessages } from './store.ts'
import { APPEND_LIMIT, appendMessage, copyMessages, moveMessages } from './transfer.ts'

/** Gmail's own without COMPRESS=DEFLATE; it has no QRESYNC. */
const CAPABILITY =
  'IMAP4rev1 UNSELECT IDLE NAMESPACE QUOTA ID XLIST CHILDREN X-GM-EXT-1 UIDPLUS ENABLE MOVE CONDSTORE ' +
  `ESEARCH UTF8=ACCEPT LIST-EXTENDED LIST-STATUS LITERAL- SPECIAL-USE APPENDLIMIT=${APPEND_LIMIT}`

/** The answer to ID. */
export const IDENTITY =
  '* ID ("name" "GImap" "vendor" "Google, Inc." "support-url" "http://mail.google.com/support" ' +
  '"remote-host" "127.0.0.1")\r\n'

const untagged =
  (text: string): Handler =>
  (session) => {
    session.write(text)
    return SUCCESS
  }

const nothing: Handler = () => SUCCESS

const enable: Handler = (session, { args }) => {
  const known = textsOf(args)
    .map((name) => name.toUpperCase())
    .filter((name) => name === 'CONDSTORE' || name === 'UTF8=ACCEPT')
  for (const name of known) session.enabled.add(name)
  session.write(`* ENABLED${known.map((name) => ` ${name}`).join('')}\r\n`)
  return SUCCESS
}

const quotaRoot: Handler = (session, { args: [name] }) => {
  const { path } = namedMailbox(session, textOf(name))
  session.write(`* QUOTAROOT ${mailboxName(path, session)} ""\r\n`)
  session.write('* QUOTA "" (STORAGE 0 15728640)\r\n')
  return SUCCESS
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  APPEND: appendMessage,
  CAPABILITY: untagged(`* CAPABILITY ${CAPABILITY}\r\n`),
  CHECK: nothing,
  CLOSE: closeMailbox,
  COPY: copyMessages,
  CREATE: createMailbox,
  DELETE: deleteMailbox,
  ENABLE: enable,
  EXAMINE: openMailbox,
  EXPUNGE: expungeMessages,
  FETCH: fetchMessages,
  GETQUOTAROOT: quotaRoot,
  ID: untagged(IDENTITY),
  LIST: listMailboxes,
  LOGOUT: untagged('* BYE LOGOUT Requested\r\n'),
  LSUB: listMailboxes,
  MOVE: moveMessages,
  NAMESPACE: untagged('* NAMESPACE (("" "/")) NIL NIL\r\n'),
  NOOP: nothing,
  RENAME: renameMailbox,
  SEARCH: searchMessages,
  SELECT: openMailbox,
  STATUS: status,
  STORE: storeMessages,
  SUBSCRIBE: nothing,
  UNSELECT: closeMailbox,
  UNSUBSCRIBE: nothing,
  XLIST: listMailboxes,
}

/** Carries out a command of a logged-in client with its untagged responses; gives what follows the tag. */
export function carryOut(session: Session, command: Command): string {
  const handler = HANDLERS[command.name]
  if (!handler) return 'BAD Unknown command'
  try {
    return `OK ${handler(session, command)}`
  } catch (error) {
    return refusalText(error)
  }
}

/** What follows the tag after this error; throws every other error than a `Refusal`. */
export function refusalText(error: unknown): string {
  if (error instanceof Refusal) return `${error.status} ${error.message}`
  throw error
}
