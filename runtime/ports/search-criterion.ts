/** The parts of a message that a server looks for text in; `text` is all of them. */
export type SearchedPart = 'text' | 'body' | 'from' | 'to' | 'cc' | 'bcc' | 'subject'

/** What a message has to be for a search to name it (RFC 9051 section 6.4.4). */
export type SearchCriterion =
  | { readonly kind: 'all' }
  /** Of two members or more. */
  | { readonly kind: 'and' | 'or'; readonly of: readonly SearchCriterion[] }
  | { readonly kind: 'not'; readonly of: SearchCriterion }
  /** A substring, without regard to case. Without NUL and line breaks, which no server can be asked for. */
  | { readonly kind: 'contains'; readonly part: SearchedPart; readonly text: string }
  /** A substring of a header field: printable ASCII. */
  | { readonly kind: 'header'; readonly name: string; readonly text: string }
  | { readonly kind: 'flag'; readonly flag: '\\Seen' | '\\Flagged' | '\\Answered' | '\\Draft' }
  | { readonly kind: 'keyword'; readonly keyword: string }
  /** One of X-GM-LABELS, by its path; for servers that have them. */
  | { readonly kind: 'gmail_label'; readonly label: string }
  /**
   * INTERNALDATE or the Date header is on this day or a later one, or on an earlier one, both without regard to time and
   * zone. Midnight UTC.
   */
  | {
      readonly kind: 'date'
      readonly of: 'internal_date' | 'date_header'
      readonly than: 'since' | 'before'
      readonly dayMs: number
    }
  /** RFC822.SIZE is larger, or smaller, than so many bytes. */
  | { readonly kind: 'size'; readonly than: 'larger' | 'smaller'; readonly bytes: number }
