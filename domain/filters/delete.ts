import { eq } from 'drizzle-orm'
import { filters } from '../../db/schema/filters.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { getFilter } from './get.ts'

/** Deletes a rule; those behind it move up. Throws `not_found`. */
export async function deleteFilter(
  ctx: Needs<'store'>,
  { id }: { readonly id: number },
): Promise<void> {
  await getFilter(ctx, id)
  await ctx.store.commit((write) => [write.delete(filters).where(eq(filters.id, id))])
}
