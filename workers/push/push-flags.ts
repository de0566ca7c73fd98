import { confirmFlags } from '../../domain/mailbox-changes/confirm-flags.ts'
import type { DueChange, FlagsChange } from '../../domain/mailbox-changes/due.ts'
import { isLabel } from '../../domain/messages/flags.ts'
import { keywordOf, labelOf } from '../../domain/messages/keyword.ts'
import { labelKey } from '../../domain/messages/labels.ts'
import { userLabels } from '../../domain/sync/gmail.ts'
import type { FlagEdit, MailSession, SelectedMailbox } from '../../runtime/ports/mail-server.ts'
import { openMailbox } from './open-mailbox.ts'
import { type Group, placeOf, type PushConnection, type PushPorts } from './push-ports.ts'
import { isRefusal } from './refusal.ts'

/** Stores the flags and labels of messages in one folder. False while their UIDs are not known. */
export async function pushFlags(
  ctx: PushPorts,
  connection: PushConnection,
  group: Group,
): Promise<boolean> {
  const { session, lease } = connection
  const [first] = group
  const place = first && placeOf(first)
  const selected = place && (await openMailbox(ctx, connection, place))
  if (!first || !selected) return false
  const { flags, keywords, labels } = editOf(first.change as FlagsChange, { group, selected })
  const uids = group.flatMap(({ uid }) => uid ?? [])
  if (hasAny(flags)) await session.storeFlags(uids, flags)
  if (hasAny(labels)) await session.storeGmailLabels(uids, labels)
  const stored = await storeKeywords(session, uids, keywords)
  const changes = group.map(({ id, messageId }) => ({ id, messageId: messageId ?? 0 }))
  const add = [...(flags.add ?? []), ...stored]
  await confirmFlags(ctx, lease, { changes, flags: { ...flags, add }, labels })
  return true
}

/** Those keywords that the server takes: one that is too long for it stays a label here alone. */
async function storeKeywords(
  session: MailSession,
  uids: readonly number[],
  keywords: readonly string[],
): Promise<readonly string[]> {
  const stored: string[] = []
  for (const keyword of keywords) {
    try {
      await session.storeFlags(uids, { add: [keyword] })
      stored.push(keyword)
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'CANNOT') throw error
    }
  }
  return stored
}

const hasAny = ({ add = [], remove = [] }: FlagEdit) => add.length + remove.length > 0

interface Stored {
  readonly group: Group
  readonly selected: SelectedMailbox
}

/** Labels go as Gmail's own where there are any, else as keywords as far as the mailbox takes them, else nowhere. */
function editOf(
  { read, starred, answered, labelsAdded = [], labelsRemoved = [] }: FlagsChange,
  { group, selected }: Stored,
): { flags: FlagEdit; keywords: readonly string[]; labels: FlagEdit } {
  const isGmail = group.some(({ serverLabels }) => serverLabels !== null)
  const isTakenHere = (keyword: string) => !isGmail && isTaken(selected, keyword)
  const set = [
    ...(read === undefined ? [] : [['\\Seen', read] as const]),
    ...(starred === undefined ? [] : [['\\Flagged', starred] as const]),
    ...(answered === undefined ? [] : [['\\Answered', answered] as const]),
  ]
  const flagsOn = set.flatMap(([flag, isOn]) => (isOn ? [flag] : []))
  const flagsOff = set.flatMap(([flag, isOn]) => (isOn ? [] : [flag]))
  return {
    flags: {
      add: flagsOn,
      remove: isGmail ? flagsOff : [...flagsOff, ...keywordsOf(group, labelsRemoved)],
    },
    keywords: labelsAdded.map(keywordOf).filter(isTakenHere),
    labels: isGmail ? { add: labelsAdded, remove: gmailLabelsOf(group, labelsRemoved) } : {},
  }
}

const isTaken = ({ permanentFlags }: SelectedMailbox, keyword: string) =>
  permanentFlags === undefined ||
  permanentFlags.some((flag) => flag === '\\*' || flag.toLowerCase() === keyword.toLowerCase())

/** The keywords, as the server writes them, that stand for these labels. */
function keywordsOf(group: Group, labels: readonly string[]): readonly string[] {
  const keys = new Set(labels.map(labelKey))
  const isMeant = (flag: string) => isLabel(flag) && keys.has(labelKey(labelOf(flag)))
  return known(group, ({ serverFlags }) => (serverFlags ?? []).filter(isMeant))
}

function gmailLabelsOf(group: Group, labels: readonly string[]): readonly string[] {
  const keys = new Set(labels.map(labelKey))
  return known(group, ({ serverLabels }) =>
    userLabels(serverLabels ?? []).filter((label) => keys.has(labelKey(label))),
  )
}

const known = (group: Group, of: (change: DueChange) => readonly string[]) => [
  ...new Set(group.flatMap(of)),
]
