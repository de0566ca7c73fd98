import type { Needs } from '../../runtime/ports/runtime.ts'
import { getContent } from './get-content.ts'
import { readSource } from './read-source.ts'

/** The raw message. Throws `not_found`, and `upstream` when its source cannot be had now. */
export async function getSource(
  ctx: Needs<'store' | 'sourceStore'>,
  input: { readonly messageId: number },
): Promise<Uint8Array> {
  return readSource(ctx, await getContent(ctx, input.messageId))
}
