import type { Needs } from '../../runtime/ports/runtime.ts'
import { upstream } from '../errors.ts'

/** What a source is known by. */
export interface SourceReference {
  readonly sourceHash: string
  /** Bytes of the whole source. */
  readonly size: number
}

/** The source of a content, byte for byte. Throws `upstream` when it cannot be had, now or ever. */
export async function readSource(
  ctx: Needs<'sourceStore'>,
  { sourceHash, size }: SourceReference,
): Promise<Uint8Array> {
  const source = await ctx.sourceStore.get(sourceHash)
  if (!source) throw upstream('The source of this message is not at hand now.')
  // Of a message that was too large to be fetched whole, only the header block is kept.
  if (source.byteLength < size) throw upstream('This message is too large to be kept here.')
  return source
}
