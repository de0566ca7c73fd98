import { and, gte, inArray, lt } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { contentBodies, contents, type Address } from '../../db/schema/contents.ts'
import { searchIndex } from '../../db/search-index.ts'
import type { MessageDigest } from '../../runtime/ports/message-digest.ts'
import { fold } from '../search/fold.ts'
import { indexedTraits } from '../search/indexed-texts.ts'
import { searchRowid } from '../search/search-rowid.ts'

/** How many rowids are looked at together when the wanted one is taken. */
const ROWID_WINDOW = 256

/** A source that was read, to be kept once however many messages share it. */
export interface ParsedSource {
  /** SHA-256 in lower-case hex. */
  readonly sourceHash: string
  /** Whether the SourceStore has it. */
  readonly sourceKept: boolean
  /** Bytes. */
  readonly size: number
  readonly dateMs: number
  readonly digest: MessageDigest
}

/** Keeps and indexes the sources that the store does not have yet; returns the content id of each hash. */
export async function storeContents(
  tx: Tx,
  sources: readonly ParsedSource[],
): Promise<ReadonlyMap<string, number>> {
  // Of the same source twice, the one that is kept counts.
  const keptLast = sources.toSorted((a, b) => Number(a.sourceKept) - Number(b.sourceKept))
  const byHash = new Map(keptLast.map((source) => [source.sourceHash, source]))
  const known = await tx
    .select({ id: contents.id, sourceHash: contents.sourceHash, sourceKept: contents.sourceKept })
    .from(contents)
    .where(inArray(contents.sourceHash, [...byHash.keys()]))
  await markKept(
    tx,
    known.filter(({ sourceHash }) => byHash.get(sourceHash)?.sourceKept),
  )
  const ids = new Map(known.map(({ id, sourceHash }) => [sourceHash, id]))

  const fresh = [...byHash.values()].filter(({ sourceHash }) => !ids.has(sourceHash))
  if (fresh.length === 0) return ids
  const numbered = await numberByDate(tx, fresh)
  await tx.insert(contents).values(numbered.map(contentRow))
  await tx.insert(contentBodies).values(numbered.map(bodyRow))
  await tx.insert(searchIndex).values(numbered.map(indexRow))
  for (const { id, source } of numbered) ids.set(source.sourceHash, id)
  return ids
}

/** They came again, with their sources. */
async function markKept(
  tx: Tx,
  known: readonly { readonly id: number; readonly sourceKept: boolean }[],
): Promise<void> {
  const ids = known.filter(({ sourceKept }) => !sourceKept).map(({ id }) => id)
  if (ids.length === 0) return
  await tx.update(contents).set({ sourceKept: true }).where(inArray(contents.id, ids))
}

interface NumberedSource {
  readonly id: number
  readonly source: ParsedSource
}

async function numberByDate(
  tx: Tx,
  sources: readonly ParsedSource[],
): Promise<readonly NumberedSource[]> {
  const wanted = sources.map((source) => searchRowid(source.dateMs, source.sourceHash))
  const rows = await tx
    .select({ id: contents.id })
    .from(contents)
    .where(inArray(contents.id, wanted))
  const taken = new Set(rows.map(({ id }) => id))
  const numbered: NumberedSource[] = []
  for (const source of sources) {
    const id = await firstFreeRowid(tx, searchRowid(source.dateMs, source.sourceHash), taken)
    taken.add(id)
    numbered.push({ id, source })
  }
  return numbered
}

async function firstFreeRowid(tx: Tx, from: number, taken: ReadonlySet<number>): Promise<number> {
  if (!taken.has(from)) return from
  for (let start = from + 1; ; start += ROWID_WINDOW) {
    const rows = await tx
      .select({ id: contents.id })
      .from(contents)
      .where(and(gte(contents.id, start), lt(contents.id, start + ROWID_WINDOW)))
    const stored = new Set(rows.map(({ id }) => id))
    for (let id = start; id < start + ROWID_WINDOW; id += 1) {
      if (!stored.has(id) && !taken.has(id)) return id
    }
  }
}

const hasAttachments = ({ attachments }: MessageDigest): boolean =>
  attachments.some(({ inline }) => !inline)

function indexRow({
  id,
  source: { digest, size },
}: NumberedSource): typeof searchIndex.$inferInsert {
  const { hasLink, indexText } = digest
  const traits = indexedTraits({ size, hasLink, hasAttachments: hasAttachments(digest) })
  return { rowid: id, ...indexText, traits }
}

function contentRow({ id, source }: NumberedSource): typeof contents.$inferInsert {
  const { digest, sourceHash, sourceKept, size } = source
  return {
    id,
    sourceHash,
    sourceKept,
    size,
    hasAttachments: hasAttachments(digest),
    hasLink: digest.hasLink,
    messageIdHeader: digest.messageIdHeader ?? null,
    inReplyToHeader: digest.inReplyToHeader ?? null,
    references: digest.references,
    from: digest.from,
    to: digest.to,
    cc: digest.cc,
    bcc: digest.bcc,
    replyTo: digest.replyTo,
    subject: digest.subject,
    subjectFolded: fold(digest.subject),
    fromFolded: foldedAddresses(digest.from),
    toFolded: foldedAddresses([...digest.to, ...digest.cc]),
    snippet: digest.snippet,
    attachments: digest.attachments,
  }
}

const bodyRow = ({
  id,
  source: { digest },
}: NumberedSource): typeof contentBodies.$inferInsert => ({
  contentId: id,
  text: digest.text ?? null,
  hasHtml: digest.hasHtml,
  headersRaw: digest.headersRaw,
})

const foldedAddresses = (addresses: readonly Address[]) =>
  fold(addresses.map(({ name, address }) => (name ? `${name} ${address}` : address)).join(', '))
