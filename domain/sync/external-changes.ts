import type { MailEvent, MessageChange } from '../events/mail-event.ts'
import type { ShownFlags } from '../messages/flags.ts'

type ReadAndStarred = Pick<ShownFlags, 'read' | 'starred'>

/** What others did to a message. Only these two are looked for (spec section 6, rule 1). */
export function externalChanges(
  before: ReadAndStarred & { readonly id: number },
  after: ReadAndStarred,
): readonly MailEvent[] {
  const changes: MessageChange[] = []
  if (before.read !== after.read) changes.push(after.read ? 'read' : 'unread')
  if (before.starred !== after.starred) changes.push(after.starred ? 'starred' : 'unstarred')
  return changes.map((change) => ({
    kind: 'message.updated',
    messageId: before.id,
    change,
    origin: 'external',
  }))
}
