import type { ImapFlow } from 'imapflow'
import type { Random } from '../../cli/commands/local/demo/random.ts'

const FLAGS = ['\\Seen', '\\Flagged', '\\Answered', 'work', 'later', '$Forwarded']
const FOLDERS_MAX = 8

/** What a mail program does to a mailbox, weighted: mostly mail, sometimes folders. */
const OPERATIONS = {
  append: 6,
  addFlag: 6,
  removeFlag: 4,
  copy: 3,
  move: 4,
  expunge: 3,
  createFolder: 1,
  renameFolder: 1,
  deleteFolder: 1,
} as const
type Operation = keyof typeof OPERATIONS

const CHOICES = Object.entries(OPERATIONS).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name as Operation),
)

interface Habits {
  /** What tells its messages and folders from those of another. */
  readonly name?: string
  /** What it never does. */
  readonly without?: readonly Operation[]
}

/**
 * Another mail program of the user, which does `random` things one by one; each call is one thing. It connects again
 * where the server has ended its connection, as Dovecot may when a folder goes.
 */
export async function randomOperations(
  connect: () => Promise<ImapFlow>,
  random: Random,
  { name = '', without = [] }: Habits = {},
): Promise<() => Promise<void>> {
  const choices = CHOICES.filter((operation) => !without.includes(operation))
  let client = await connect()
  /** Folders of its own, which it renames and deletes. */
  const own: string[] = []
  let count = 0

  const paths = async () =>
    (await client.list()).filter(({ flags }) => !flags.has('\\Noselect')).map(({ path }) => path)
  /** Opens a folder that has mail; the UIDs of some of it. */
  const someMail = async () => {
    const path = random.pick(await paths())
    // Dovecot may still list, for a moment, a folder that went while another client had it open.
    const opened = await client.mailboxOpen(path).catch(() => undefined)
    if (opened === undefined || opened.exists === 0) return []
    const all = (await client.search({ all: true }, { uid: true })) || []
    const from = random.integer(0, all.length - 1)
    return all.slice(from, from + random.integer(1, 4))
  }
  const newName = async () => {
    count += 1
    const [inbox, other] = await client.list()
    const prefix = other?.path.startsWith(`INBOX${inbox?.delimiter}`)
      ? `INBOX${inbox?.delimiter}`
      : ''
    return `${prefix}${random.pick(['Überblick', 'A & B', 'Plan ✓', 'Work'])} ${name}${count}`
  }
  const operations: Record<Operation, () => Promise<unknown>> = {
    async append() {
      count += 1
      const flags = FLAGS.filter(() => random.fraction() < 0.2)
      const source = `Subject: Message ${name}${count}\r\nMessage-ID: <r${name}${count}@example.org>\r\n\r\nText ${count}.\r\n`
      await client.append(random.pick(await paths()), source, flags)
    },
    async addFlag() {
      const uids = await someMail()
      if (uids.length > 0) await client.messageFlagsAdd(uids, [random.pick(FLAGS)], { uid: true })
    },
    async removeFlag() {
      const uids = await someMail()
      if (uids.length > 0)
        await client.messageFlagsRemove(uids, [random.pick(FLAGS)], { uid: true })
    },
    async copy() {
      const uids = await someMail()
      if (uids.length > 0) await client.messageCopy(uids, random.pick(await paths()), { uid: true })
    },
    async move() {
      const uids = await someMail()
      const from = client.mailbox && client.mailbox.path
      const to = random.pick(await paths())
      if (uids.length > 0 && to !== from) await client.messageMove(uids, to, { uid: true })
    },
    async expunge() {
      const uids = await someMail()
      if (uids.length > 0) await client.messageDelete(uids, { uid: true })
    },
    async createFolder() {
      if (own.length >= FOLDERS_MAX) return
      const path = await newName()
      await client.mailboxCreate(path)
      own.push(path)
    },
    async renameFolder() {
      if (own.length === 0) return
      const path = random.pick(own)
      const renamed = await newName()
      await client.mailboxClose()
      await client.mailboxRename(path, renamed)
      own.splice(own.indexOf(path), 1, renamed)
    },
    async deleteFolder() {
      if (own.length === 0) return
      const path = random.pick(own)
      await client.mailboxClose()
      await client.mailboxDelete(path)
      own.splice(own.indexOf(path), 1)
    },
  }
  return async () => {
    if (!client.usable) client = await connect()
    try {
      await operations[random.pick(choices)]()
    } catch (error) {
      if (client.usable && !isGone(error)) throw error
    }
  }
}

/** Whether what was chosen went before it was changed: others act at the same time. */
const isGone = (error: unknown) =>
  ['TRYCREATE', 'NONEXISTENT', 'EXPUNGEISSUED'].includes(
    (error as { readonly serverResponseCode?: string }).serverResponseCode ?? '',
  )
