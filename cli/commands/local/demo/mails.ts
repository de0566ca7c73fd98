import { composeMail } from './mail-transport.ts'
import type { StoredMessage } from './maildir.ts'
import { arrival } from './mails/arrivals.ts'
import { conversations } from './mails/conversations.ts'
import { FOLDERS } from './mails/demo-mail.ts'
import type { DemoMail } from './mails/demo-mail.ts'
import { newsletters } from './mails/newsletters.ts'
import { notifications } from './mails/notifications.ts'
import { orders } from './mails/orders.ts'
import { singleMails } from './mails/single-mails.ts'
import { seededRandom } from './random.ts'

const SEED = 1921
const HOUR_MS = 3_600_000

/** A message of the demo mailbox and the folder it lies in. */
export interface DemoMessage extends StoredMessage {
  readonly folder: string
}

/**
 * The demo mailbox: about three hundred messages of the year and a half before `now`, in the folders a mail
 * account has and two of its own. The same but for their dates every time.
 */
export async function* demoMessages(now: Date): AsyncGenerator<DemoMessage> {
  const random = seededRandom(SEED)
  const mails = [
    ...conversations(now),
    ...newsletters(random),
    ...orders(random),
    ...notifications(random),
    ...singleMails(),
  ]
  for (const mail of mails) {
    // Nobody writes on the hour.
    const agoMs = mail.hoursAgo * HOUR_MS + random.integer(0, 1_200) * 1_000
    yield await render(mail, new Date(now.getTime() - agoMs))
  }
}

/** The source of the `n`th new message, counted from 0, dated `now`: for delivery while the demo runs. */
export function nextMail(n: number, now: Date): Promise<Uint8Array> {
  const messageId = messageIdOf(`arrival.${now.getTime()}.${n}`)
  return composeMail({ ...arrival(n), messageId, date: now })
}

async function render(mail: DemoMail, internalDate: Date): Promise<DemoMessage> {
  const references = mail.replyTo?.map(messageIdOf) ?? []
  const inReplyTo = references.at(-1)
  const source = await composeMail({
    ...mail.content,
    messageId: messageIdOf(mail.key),
    date: internalDate,
    // Random otherwise; the composer makes it a prefix of its boundaries.
    baseBoundary: mail.key,
    ...(inReplyTo === undefined ? {} : { references, inReplyTo }),
  })
  return { folder: mail.folder, source, internalDate, flags: flagsOf(mail) }
}

const messageIdOf = (key: string) => `<${key}@mail.lindqvist-roth.example>`

function flagsOf({ folder, unread, starred, answered }: DemoMail): readonly string[] {
  const flags: readonly (readonly [flag: string, isSet: boolean])[] = [
    ['\\Seen', unread !== true],
    ['\\Flagged', starred === true],
    ['\\Answered', answered === true],
    ['\\Draft', folder === FOLDERS.drafts],
  ]
  return flags.flatMap(([flag, isSet]) => (isSet ? [flag] : []))
}
