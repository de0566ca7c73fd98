import { messages } from '../../db/schema/messages.ts'

/** The columns that deciding about new server flags needs. */
export const SHOWN_AND_CONFIRMED = {
  id: messages.id,
  contentId: messages.contentId,
  serverFlags: messages.serverFlags,
  read: messages.read,
  starred: messages.starred,
  answered: messages.answered,
  labels: messages.labels,
}
