import { count, desc, eq, inArray, lt, max } from 'drizzle-orm'
import type { Reader, Tx } from '../../db/client.ts'
import { contentBodies, contents } from '../../db/schema/contents.ts'
import { searchRebuild } from '../../db/schema/search-rebuild.ts'
import { searchIndex } from '../../db/search-index.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { namesLink } from '../mime/links.ts'
import { indexedBody, indexedHeader, indexedTraits } from './indexed-texts.ts'
import { noteAnew } from './suggestions/note-anew.ts'

/** Contents in a transaction, so that it takes a few milliseconds; those of long texts are fewer. */
const CONTENTS_AT_ONCE = 20
const TEXT_CHARS_AT_ONCE = 100_000

/**
 * Begins to build the search index and the suggestions anew, unless that is under way already. What is not reached yet stays as it is, so
 * that searches go on.
 */
export async function requestIndexRebuild({ store }: Needs<'store'>): Promise<void> {
  await store.durableTransaction(async (tx) => {
    const [newest] = await tx.select({ id: max(contents.id) }).from(contents)
    const begun = await tx
      .insert(searchRebuild)
      .values({ id: 1, belowContentId: (newest?.id ?? 0) + 1 })
      .onConflictDoNothing()
      .returning()
    if (begun.length > 0) await noteAnew(tx)
  })
}

/** How many contents are still to be indexed anew; 0 where no rebuild is under way. */
export async function contentsToIndex({ store }: Needs<'store'>): Promise<number> {
  const [left] = await store.read
    .select({ contents: count(contents.id) })
    .from(searchRebuild)
    .innerJoin(contents, lt(contents.id, searchRebuild.belowContentId))
  return left?.contents ?? 0
}

/**
 * Indexes the next contents anew, newest first, from where it stopped, in whatever process that was; returns how many,
 * 0 when none are left. Several processes may do it at once, and beside a sync.
 */
export async function rebuildNextOfIndex({ store }: Needs<'store'>): Promise<number> {
  // Read and folded outside of the transaction, which others wait for.
  const below = await rebuiltBelow(store.read)
  if (below === undefined) return 0
  const next = (await nextContents(store.read, below)).map(indexed)
  return store.transaction(async (tx) => {
    // Another process has done these meanwhile, or all of them: then there is more to look at, or nothing.
    if ((await rebuiltBelow(tx)) !== below) return 1
    const lowest = next.at(-1)
    if (lowest === undefined) {
      await tx.delete(searchRebuild)
      return 0
    }
    await replaceRows(tx, next)
    await tx.update(searchRebuild).set({ belowContentId: lowest.id })
    return next.length
  })
}

async function rebuiltBelow(read: Pick<Reader, 'select'>): Promise<number | undefined> {
  const [rebuild] = await read.select({ below: searchRebuild.belowContentId }).from(searchRebuild)
  return rebuild?.below
}

interface IndexedContent {
  readonly id: number
  readonly sourceHash: string
  readonly texts: Omit<typeof searchIndex.$inferInsert, 'rowid'>
}

/** What has gone since it was read stays gone, also where another content has its id now. */
async function replaceRows(tx: Tx, indexed: readonly IndexedContent[]): Promise<void> {
  const ids = indexed.map(({ id }) => id)
  const there = await tx
    .select({ sourceHash: contents.sourceHash })
    .from(contents)
    .where(inArray(contents.id, ids))
  const hashes = new Set(there.map(({ sourceHash }) => sourceHash))
  const kept = indexed.filter(({ sourceHash }) => hashes.has(sourceHash))
  if (kept.length === 0) return
  await tx.delete(searchIndex).where(
    inArray(
      searchIndex.rowid,
      kept.map(({ id }) => id),
    ),
  )
  await tx.insert(searchIndex).values(kept.map(({ id, texts }) => ({ rowid: id, ...texts })))
}

async function nextContents(read: Reader, below: number) {
  const rows = await read
    .select({ content: contents, text: contentBodies.text })
    .from(contents)
    .leftJoin(contentBodies, eq(contentBodies.contentId, contents.id))
    .where(lt(contents.id, below))
    .orderBy(desc(contents.id))
    .limit(CONTENTS_AT_ONCE)
  let chars = 0
  return rows.filter(({ text }, index) => {
    chars += text?.length ?? 0
    return index === 0 || chars <= TEXT_CHARS_AT_ONCE
  })
}

/** Whether a message links is seen from its text where it was stored before that was known. */
function indexed({
  content,
  text,
}: Awaited<ReturnType<typeof nextContents>>[number]): IndexedContent {
  const { id, sourceHash, size, attachments, hasAttachments, hasLink } = content
  const isLinking = hasLink ?? namesLink(text ?? '')
  const texts = {
    ...indexedHeader(content),
    ...indexedBody({ text, attachments }),
    traits: indexedTraits({ size, hasAttachments, hasLink: isLinking }),
  }
  return { id, sourceHash, texts }
}
