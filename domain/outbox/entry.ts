import { accounts } from '../../db/schema/accounts.ts'
import { outbox } from '../../db/schema/outbox.ts'

/** The columns of an entry as it is shown, from outbox and accounts joined. Times are milliseconds UTC. */
export const ENTRY_COLUMNS = {
  id: outbox.id,
  account: accounts.name,
  message: outbox.message,
  sendAt: outbox.sendAt,
  status: outbox.status,
  error: outbox.error,
  messageIdHeader: outbox.messageIdHeader,
}

export type OutboxEntry = Pick<
  typeof outbox.$inferSelect,
  'id' | 'message' | 'sendAt' | 'status' | 'error' | 'messageIdHeader'
> & { readonly account: string }
