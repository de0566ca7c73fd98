import { and, asc, eq, gt, notInArray } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { forwards } from '../../db/schema/forwards.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { databaseNowMs } from '../database-time.ts'

/** Few enough to be looked at in one go. */
const FORWARDS_AT_ONCE = 20

/** A message that a rule wants forwarded, and what is known of it. */
export type WaitingForward = Awaited<ReturnType<typeof listWaitingForwards>>[number]

/** Some of what rules want forwarded from the accounts of this sidecar, oldest first; `except` are left out. */
export async function listWaitingForwards(
  { store }: Needs<'store'>,
  { sidecarId, except }: { readonly sidecarId: string; readonly except: readonly number[] },
) {
  return store.read
    .select({
      id: forwards.id,
      accountId: forwards.accountId,
      email: accounts.email,
      messageId: forwards.messageId,
      sourceHash: forwards.sourceHash,
      address: forwards.address,
      createdAt: forwards.createdAt,
      /** Null where no message says this any more. */
      original: { subject: contents.subject, from: contents.from, size: contents.size },
    })
    .from(forwards)
    .innerJoin(accounts, eq(accounts.id, forwards.accountId))
    .innerJoin(accountLeases, eq(accountLeases.accountId, forwards.accountId))
    .leftJoin(contents, eq(contents.sourceHash, forwards.sourceHash))
    .where(
      and(
        isNotRemoved,
        eq(accountLeases.sidecarId, sidecarId),
        gt(accountLeases.expiresAt, databaseNowMs),
        notInArray(forwards.id, [...except]),
      ),
    )
    .orderBy(asc(forwards.id))
    .limit(FORWARDS_AT_ONCE)
}
