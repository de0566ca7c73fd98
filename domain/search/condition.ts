/** A flag of a message that can be asked for; a draft is one that is the copy of a draft of ours. */
export type SearchedFlag = 'read' | 'starred' | 'answered' | 'draft'

/**
 * What is asked for, in terms of the store: texts as expressions of the index, names as the ids they stand for. An
 * `or` of nothing is never true.
 */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  /** An FTS5 expression of the content. */
  | { readonly kind: 'match'; readonly match: string }
  | { readonly kind: 'flag'; readonly flag: SearchedFlag }
  | {
      readonly kind: 'among'
      readonly column: 'accountId' | 'folderId' | 'threadId'
      readonly values: readonly number[]
    }
  /** The labels of the message are one of these lists, as the store writes them. */
  | { readonly kind: 'labels'; readonly values: readonly string[] }
  | { readonly kind: 'message_id'; readonly messageIdHeader: string }
  | { readonly kind: 'date'; readonly fromMs?: number; readonly beforeMs?: number }
  | { readonly kind: 'size'; readonly than: 'larger' | 'smaller'; readonly bytes: number }

/** The parts of a condition that all have to hold. */
export const conjuncts = (condition: Condition): readonly Condition[] =>
  condition.kind === 'and' ? condition.of : [condition]

/** All of these. */
export function every(conditions: readonly Condition[]): Condition {
  const of = conditions.flatMap(conjuncts)
  const [only] = of
  return of.length === 1 && only ? only : { kind: 'and', of }
}
