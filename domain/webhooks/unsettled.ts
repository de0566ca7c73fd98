import { sql } from 'drizzle-orm'
import { webhookDeliveries } from '../../db/schema/webhooks.ts'

/** Whether a delivery still waits for an attempt: in the very words of the index of what is due. */
export const isUnsettled = sql<boolean>`${webhookDeliveries.status} in ('pending', 'failed')`
