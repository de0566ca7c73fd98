import type { Needs } from '../../../runtime/ports/runtime.ts'
import { unitedLabels } from '../../messages/labels.ts'
import { readLabelLists } from '../label-lists.ts'
import { isMeant, type Typed } from './typed-words.ts'

/** The labels of messages that are meant, by name. */
export async function suggestLabels(
  ctx: Needs<'store'>,
  { words, limit }: Typed,
): Promise<readonly string[]> {
  const lists = await readLabelLists(ctx)
  return lists
    .reduce<readonly string[]>((united, { labels }) => unitedLabels(united, labels), [])
    .filter((label) => isMeant(label, words))
    .toSorted((a, b) => a.localeCompare(b))
    .slice(0, limit)
}
