import type { Needs } from '../../runtime/ports/runtime.ts'
import type { Download } from '../../runtime/ports/source-reader.ts'
import { getContent } from './get-content.ts'
import { readSource } from './read-source.ts'

/** The raw message. Throws `not_found`, and `upstream` when its source cannot be had now. */
export async function getSource(
  ctx: Needs<'store' | 'sourceReader'>,
  input: { readonly messageId: number; readonly signal?: AbortSignal },
): Promise<Download> {
  const content = await getContent(ctx, input.messageId)
  return readSource(ctx.sourceReader.whole(content, input.signal))
}
