import { desc, eq } from 'drizzle-orm'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

const OWN = new Set(['\\draft', '\\seen', '\\recent', '\\deleted'])

/** The flags of the next copy of a draft: those of a draft, and whatever else the copy before it has. */
export async function copyFlags(
  { store }: Needs<'store'>,
  draftId: number,
): Promise<readonly string[]> {
  const [copy] = await store.read
    .select({ flags: messages.serverFlags })
    .from(messages)
    .where(eq(messages.draftId, draftId))
    .orderBy(desc(messages.id))
    .limit(1)
  const others = (copy?.flags ?? []).filter((flag) => !OWN.has(flag.toLowerCase()))
  return ['\\Draft', '\\Seen', ...others]
}
