import type { Draft } from '../draft-record.ts'

/**
 * What becomes of a message in the Drafts folder: a draft of its own; the new state of the draft that bears its
 * Message-ID; or, where both sides have written, the newer stays that draft and the other becomes a second one.
 * `wait` while it is not clear yet what the server has, or while the draft is being sent.
 */
export type Adoption = 'new' | 'follow' | 'keep_ours' | 'keep_theirs' | 'wait'

interface Known {
  /** The draft with the same Message-ID. */
  readonly draft: Draft | undefined
  /** Whether it is being sent, or is scheduled to be. */
  readonly isBeingSent: boolean
  /** The UID of the copy that stands for it. */
  readonly tiedUid: number | undefined
}

/** Decides about a message that came in at `internalDate` (milliseconds UTC). */
export function adoptionOf(
  { uid, internalDate }: { readonly uid: number | null; readonly internalDate: number },
  { draft, isBeingSent, tiedUid }: Known,
): Adoption {
  if (!draft) return 'new'
  if (isBeingSent || draft.removedAt !== null || draft.appendingRevision !== null) return 'wait'
  // Somebody's copy of what was there before.
  if (tiedUid !== undefined && tiedUid > (uid ?? 0)) return 'new'
  if (draft.revision === draft.publishedRevision) return 'follow'
  return internalDate > draft.updatedAt ? 'keep_theirs' : 'keep_ours'
}
