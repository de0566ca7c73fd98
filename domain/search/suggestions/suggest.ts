import type { Address } from '../../../db/schema/contents.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { suggestAddresses } from './suggest-addresses.ts'
import { type SuggestedFolder, suggestFolders } from './suggest-folders.ts'
import { suggestLabels } from './suggest-labels.ts'
import { typedWords } from './typed-words.ts'

export interface Suggestions {
  readonly senders: readonly Address[]
  readonly recipients: readonly Address[]
  readonly labels: readonly string[]
  readonly folders: readonly SuggestedFolder[]
}

const NOTHING: Suggestions = { senders: [], recipients: [], labels: [], folders: [] }

/**
 * What somebody may mean who has typed `prefix`, `limit` of each kind at most: every word typed begins a word of it.
 * Addresses come by how often and how lately they were used; with nothing typed, those that are used most.
 */
export async function suggest(
  ctx: Needs<'store'>,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<Suggestions> {
  const words = typedWords(prefix)
  if (!words) return NOTHING
  const asked = { words, limit }
  const [senders, recipients, labels, folders] = await Promise.all([
    suggestAddresses(ctx, 'sender', asked),
    suggestAddresses(ctx, 'recipient', asked),
    suggestLabels(ctx, asked),
    suggestFolders(ctx, asked),
  ])
  return { senders, recipients, labels, folders }
}
