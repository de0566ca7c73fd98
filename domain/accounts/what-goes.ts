import { and, count, eq } from 'drizzle-orm'
import { drafts } from '../../db/schema/drafts.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { isOpen } from '../outbox/open.ts'

/** What is stored of an account and goes with it. */
export interface WhatGoes {
  readonly messages: number
  readonly drafts: number
  /** Messages that are still to be sent. */
  readonly unsentMessages: number
  /** Changes made here that its server does not know yet. */
  readonly unsentChanges: number
  readonly transcriptBytes: number
}

/** Counts what a removal of the account would take. */
export async function whatGoes(
  { store, transcripts }: Needs<'store' | 'transcripts'>,
  accountId: number,
): Promise<WhatGoes> {
  const countOf = async (table: typeof messages | typeof drafts | typeof mailboxChanges) => {
    const [row] = await store.read
      .select({ total: count() })
      .from(table)
      .where(eq(table.accountId, accountId))
    return row?.total ?? 0
  }
  return {
    messages: await countOf(messages),
    drafts: await countOf(drafts),
    unsentMessages: await countOfUnsent(store, accountId),
    unsentChanges: await countOf(mailboxChanges),
    transcriptBytes: await transcripts.bytes(accountId),
  }
}

async function countOfUnsent({ read }: Store, accountId: number): Promise<number> {
  const [row] = await read
    .select({ total: count() })
    .from(outbox)
    .where(and(eq(outbox.accountId, accountId), isOpen))
  return row?.total ?? 0
}
