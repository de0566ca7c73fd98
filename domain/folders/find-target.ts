import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { folders } from '../../db/schema/folders.ts'

/** A folder that messages are moved to. */
export interface MoveTarget {
  readonly id: number
  readonly isInbox: boolean
}

/**
 * The folder of an account that mail is to be moved to, given by its id or its path; undefined where the account has
 * no such folder, or none that can hold mail.
 */
export async function findTarget(
  read: Reader,
  accountId: number,
  target: string | number,
): Promise<MoveTarget | undefined> {
  const isTarget = typeof target === 'number' ? eq(folders.id, target) : eq(folders.path, target)
  const [folder] = await read
    .select({ id: folders.id, specialUse: folders.specialUse })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.selectable, true), isTarget))
  return folder && { id: folder.id, isInbox: folder.specialUse === 'inbox' }
}
