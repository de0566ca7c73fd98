import type { MessageDigest } from '../../runtime/ports/message-digest.ts'
import type { Keeping } from '../../runtime/ports/source-intake.ts'
import { messageDate } from '../messages/message-date.ts'

/** Whether the source with this digest, at `index` of those that are taken, is young enough to be kept. */
export function isToBeKept(
  digest: MessageDigest,
  index: number,
  { sinceMs, internalDatesMs }: Keeping,
): boolean {
  return messageDate(digest.dateHeaderMs, internalDatesMs[index] ?? Infinity) >= sinceMs
}
