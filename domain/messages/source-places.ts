import { and, eq, isNotNull } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'

/** Where on which server a source can be fetched. */
export interface SourcePlace {
  readonly accountId: number
  /** Of the account. */
  readonly settingsRevision: number
  readonly path: string
  readonly uidValidity: string
  readonly uid: number
}

/** Every place whose server holds a message with this source, as it last confirmed. */
export async function sourcePlaces(
  { store }: Needs<'store'>,
  sourceHash: string,
): Promise<readonly SourcePlace[]> {
  const rows = await store.read
    .select({
      accountId: messages.accountId,
      settingsRevision: accounts.settingsRevision,
      path: folders.path,
      uidValidity: messages.uidValidity,
      uid: messages.uid,
    })
    .from(contents)
    .innerJoin(messages, eq(messages.contentId, contents.id))
    .innerJoin(folders, eq(folders.id, messages.serverFolderId))
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(and(isNotRemoved, eq(contents.sourceHash, sourceHash), isNotNull(messages.uid)))
  return rows.flatMap(({ uid, uidValidity, ...place }) =>
    uid === null || uidValidity === null ? [] : [{ ...place, uid, uidValidity }],
  )
}
