import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { folders } from '../../db/schema/folders.ts'

/**
 * The id of the folder of an account that a rule moves mail to, given by its id or its path; undefined where the
 * account has no such folder, or none that can hold mail.
 */
export async function findMoveTarget(
  read: Reader,
  accountId: number,
  target: string | number,
): Promise<number | undefined> {
  const isTarget = typeof target === 'number' ? eq(folders.id, target) : eq(folders.path, target)
  const [folder] = await read
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.selectable, true), isTarget))
  return folder?.id
}
