import type { Draft } from '../draft-record.ts'

/**
 * What becomes of a message in the Drafts folder: a draft of its own; the new state of the draft that bears its
 * Message-ID; or, where both sides have written, the newer stays that draft and the other becomes a second one.
 * A copy of the same bytes says nothing new: it stands for the draft too, and goes when that is published again.
 * `wait` while it is not clear yet what the server has, or while the draft is being sent. One that leaves the copy in
 * place that stands for the draft replaces nothing: it is another message with that Message-ID.
 */
export type Adoption = 'new' | 'same' | 'follow' | 'keep_ours' | 'keep_theirs' | 'wait'

interface Known {
  /** The draft with the same Message-ID. */
  readonly draft: Draft | undefined
  /** Whether it is being sent, or is scheduled to be. */
  readonly isBeingSent: boolean
  /** The UID of the copy that stands for it, while that is in the Drafts folder. */
  readonly tiedUid: number | undefined
  /** Whether that copy says the same, byte for byte. */
  readonly isSame: boolean
  /** Whether a program that replaces a draft has had the time to take the old copy away. */
  readonly hasWaited: boolean
}

/** Decides about a message that came in at `internalDate` (milliseconds UTC). */
export function adoptionOf(
  { uid, internalDate }: { readonly uid: number | null; readonly internalDate: number },
  { draft, isBeingSent, tiedUid, isSame, hasWaited }: Known,
): Adoption {
  if (!draft) return 'new'
  if (isBeingSent || draft.removedAt !== null || draft.appendingRevision !== null) return 'wait'
  if (isSame) return 'same'
  if (tiedUid !== undefined) return tiedUid > (uid ?? 0) || hasWaited ? 'new' : 'wait'
  if (draft.revision === draft.publishedRevision) return 'follow'
  return internalDate > draft.updatedAt ? 'keep_theirs' : 'keep_ours'
}
