import type { Random } from '../../cli/commands/local/demo/random.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { changeMessages } from '../../domain/messages/change-many.ts'
import { changeMessage, type ChangePorts, type WantedChange } from '../../domain/messages/change.ts'
import { DomainError } from '../../domain/errors.ts'

const LABELS = ['work', 'later', 'two words', 'Größe']

const KINDS = ['read', 'starred', 'label', 'unlabel', 'move', 'place'] as const

/** A user of the API, who changes `random` messages of the only account; each call is one change. */
export function randomChanges(ctx: ChangePorts, random: Random): () => Promise<void> {
  const { read } = ctx.store
  const wanted = async (): Promise<WantedChange> => {
    const kind = random.pick(KINDS)
    if (kind === 'place') return { moveTo: random.pick(['archive', 'spam', 'trash'] as const) }
    if (kind === 'move') {
      const known = (await read.select().from(folders)).filter(({ selectable }) => selectable)
      return { folderId: random.pick(known).id, read: random.fraction() < 0.5 }
    }
    if (kind === 'label') return { labelsAdd: [random.pick(LABELS)] }
    if (kind === 'unlabel') return { labelsRemove: [random.pick(LABELS)] }
    return { [kind === 'starred' ? 'starred' : 'read']: random.fraction() < 0.5 }
  }
  return async () => {
    const ids = (await read.select({ id: messages.id }).from(messages)).map(({ id }) => id)
    if (ids.length === 0) return
    const change = await wanted()
    const from = random.integer(0, ids.length - 1)
    const some = ids.slice(from, from + random.integer(1, 6))
    if (some.length > 1) {
      await changeMessages(ctx, { messageIds: some, change })
      return
    }
    try {
      await changeMessage(ctx, { messageId: some[0] ?? 0, change })
    } catch (error) {
      // What is chosen may go before it is changed.
      if (!(error instanceof DomainError)) throw error
    }
  }
}
