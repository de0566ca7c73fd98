import { isNull } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'

/** Whether an account is there for everybody; one that is being removed is there for its removal alone. */
export const isPresent = isNull(accounts.removingSince)
