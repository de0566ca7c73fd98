/** A field of a message that words are looked for in; `any` is all of them. */
export type SearchField = 'any' | 'from' | 'to' | 'cc' | 'bcc' | 'subject' | 'body' | 'filename'

/** What is true of a message or not (contract section 5, `is:` and `has:`); `unread` is `read` negated. */
export type SearchTrait = 'read' | 'starred' | 'answered' | 'draft' | 'attachment' | 'link'

/**
 * What a query asks for (contract section 5), as a tree. An `and` or `or` has two members or more, none of its own
 * kind; a `not` never holds a `not`. Texts are as they were written, not folded.
 */
export type SearchExpression =
  | { readonly kind: 'and' | 'or'; readonly of: readonly SearchExpression[] }
  | { readonly kind: 'not'; readonly of: SearchExpression }
  /** Words in this order, with nothing but separators between; a prefix where the last may go on. */
  | {
      readonly kind: 'text'
      readonly field: SearchField
      readonly text: string
      readonly isPrefix: boolean
    }
  | { readonly kind: 'trait'; readonly trait: SearchTrait }
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'account'; readonly account: string }
  /** A special use, or the name or path of a folder. */
  | { readonly kind: 'in'; readonly folder: string }
  /** Without angle brackets. */
  | { readonly kind: 'message_id'; readonly messageIdHeader: string }
  | { readonly kind: 'thread'; readonly threadId: number }
  /** The date is at or after `fromMs` and before `beforeMs`, milliseconds UTC; at least one of them is there. */
  | { readonly kind: 'date'; readonly fromMs?: number; readonly beforeMs?: number }
  /** Bytes of the source, more or less than. */
  | { readonly kind: 'size'; readonly than: 'larger' | 'smaller'; readonly bytes: number }

/** What a query was read as. */
export interface SearchQuery {
  /** Absent where nothing can be asked for: the query holds no word and no operator. */
  readonly expression?: SearchExpression
  /** In words for people: what looked like an operator and was searched as text, and what was left out. */
  readonly warnings: readonly string[]
}
