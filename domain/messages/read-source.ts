import type { Needs } from '../../runtime/ports/runtime.ts'
import { upstream } from '../errors.ts'

/** The source of a content, byte for byte. Throws `upstream` when it cannot be had now. */
export async function readSource(
  ctx: Needs<'sourceStore'>,
  sourceHash: string,
): Promise<Uint8Array> {
  const source = await ctx.sourceStore.get(sourceHash)
  if (!source) throw upstream('The source of this message is not at hand now.')
  return source
}
