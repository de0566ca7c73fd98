import { eq } from 'drizzle-orm'
import { events } from '../../db/schema/events.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Store } from '../../runtime/ports/store.ts'

/** What can be told of a message. */
interface Seen {
  readonly read: boolean
  readonly starred: boolean
  readonly folderId: number
  readonly isInbox: boolean
}

export type SeenMail = ReadonlyMap<number, Seen>

/** What the store shows now, by id. */
export async function seenMail(store: Store): Promise<SeenMail> {
  const rows = await store.read
    .select({ message: messages, specialUse: folders.specialUse })
    .from(messages)
    .innerJoin(folders, eq(folders.id, messages.folderId))
  return new Map(
    rows.map(({ message: { id, read, starred, folderId }, specialUse }) => [
      id,
      { read, starred, folderId, isInbox: specialUse === 'inbox' },
    ]),
  )
}

/** What the events so far say of a message; absent is what they say nothing of. */
interface Story {
  read?: boolean
  starred?: boolean
  folderId?: number
  arrivals: number
  moves: number
  isDeleted: boolean
}

const FLAGS = {
  read: ['read', true],
  unread: ['read', false],
  starred: ['starred', true],
  unstarred: ['starred', false],
} as const

const isFlagChange = (change: unknown): change is keyof typeof FLAGS =>
  typeof change === 'string' && change in FLAGS

/** Where the events so far do not lead from what was shown at `start` to what is shown now, in words. */
export async function unexplained(store: Store, start: SeenMail): Promise<readonly string[]> {
  const end = await seenMail(store)
  const wrong: string[] = []
  const stories = new Map<number, Story>(
    [...start].map(([id, { read, starred, folderId }]) => [
      id,
      { read, starred, folderId, arrivals: 0, moves: 0, isDeleted: false },
    ]),
  )
  for (const { kind, data } of await store.read.select().from(events).orderBy(events.id)) {
    const { id, change, folder_id: folderId } = data as Record<string, unknown>
    if (typeof id !== 'number') continue
    const story = stories.get(id) ?? { arrivals: 0, moves: 0, isDeleted: false }
    stories.set(id, story)
    if (story.isDeleted) wrong.push(`${id}: ${kind} after it was deleted`)
    if (kind === 'message.deleted') story.isDeleted = true
    if (kind === 'message.received' || kind === 'message.sent') story.arrivals += 1
    if (isFlagChange(change)) {
      const [flag, value] = FLAGS[change]
      if (story[flag] === value) wrong.push(`${id}: ${change} twice`)
      story[flag] = value
    }
    if (change === 'moved') story.moves += 1
    if (typeof folderId === 'number') story.folderId = folderId
  }
  for (const [id, story] of stories) wrong.push(...faults(id, story, { start, end }))
  for (const [id, { isInbox }] of end) {
    const isUntold = !start.has(id) && !stories.has(id)
    if (isUntold && isInbox) wrong.push(`${id}: came to the inbox and was not told`)
  }
  return wrong
}

function faults(
  id: number,
  { read, starred, folderId, arrivals, moves, isDeleted }: Story,
  { start, end }: { readonly start: SeenMail; readonly end: SeenMail },
): readonly string[] {
  const now = end.get(id)
  if (!now) return start.has(id) && !isDeleted ? [`${id}: gone and not told`] : []
  const isArrivedUntold = !start.has(id) && now.isInbox && moves === 0 && arrivals === 0
  return [
    ...(isDeleted ? [`${id}: told as deleted and is there`] : []),
    ...(arrivals > (start.has(id) ? 0 : 1) ? [`${id}: told ${arrivals} times as new`] : []),
    ...(isArrivedUntold ? [`${id}: came to the inbox and was not told`] : []),
    ...((read ?? now.read) === now.read ? [] : [`${id}: read is ${now.read} untold`]),
    ...((starred ?? now.starred) === now.starred
      ? []
      : [`${id}: starred is ${now.starred} untold`]),
    ...((folderId ?? now.folderId) === now.folderId
      ? []
      : [`${id}: in folder ${now.folderId}, told as in ${folderId}`]),
  ]
}
