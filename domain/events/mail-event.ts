/** What was changed of a message (spec section 6). */
export type MessageChange =
  | 'read'
  | 'unread'
  | 'starred'
  | 'unstarred'
  | 'labeled'
  | 'unlabeled'
  | 'moved'

/** Something that happened, before it is told: messages by their id, read when the change is complete. */
export type MailEvent =
  | { readonly kind: 'message.received' | 'message.sent'; readonly messageId: number }
  | {
      readonly kind: 'message.updated'
      readonly messageId: number
      readonly change: MessageChange
      /** Who changed it: this service, or anybody else. */
      readonly origin: 'svc' | 'external'
    }
  /** Its message is still there: emit it before the row goes. */
  | { readonly kind: 'message.deleted'; readonly messageId: number }
  | { readonly kind: 'sync.error'; readonly accountId: number; readonly error: string }
  | { readonly kind: 'search.completed'; readonly jobSeq: number }
