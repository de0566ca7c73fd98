import { asc, eq, gt } from 'drizzle-orm'

import { contentBodies, contents } from '../../db/schema/contents.ts'
import { indexedBody, indexedHeader, indexedTraits } from '../../domain/search/indexed-texts.ts'
import { openFileStore } from '../../runtime/node/file-store.ts'
import type { Store } from '../../runtime/ports/store.ts'

const CONTENTS_AT_ONCE = 500

/** Bytes of text in UTF-8. */
export interface IndexedText {
  /** As the index is given it: folded, and by pairs of characters where there are no spaces. */
  readonly givenBytes: number
  /** As the messages have it: subjects, addresses, names of attachments and bodies. */
  readonly writtenBytes: number
}

/** What is indexed of all messages of a database. */
export async function indexedText(databaseUrl: string): Promise<IndexedText> {
  const store = openFileStore(databaseUrl)
  let [givenBytes, writtenBytes, after] = [0, 0, 0]
  try {
    for (;;) {
      const rows = await contentsAfter(store, after)
      for (const row of rows) {
        givenBytes += bytesOf(givenTexts(row))
        writtenBytes += bytesOf(writtenTexts(row))
        after = row.content.id
      }
      if (rows.length < CONTENTS_AT_ONCE) return { givenBytes, writtenBytes }
    }
  } finally {
    await store.close()
  }
}

const contentsAfter = ({ read }: Store, after: number) =>
  read
    .select({ content: contents, text: contentBodies.text })
    .from(contents)
    .innerJoin(contentBodies, eq(contentBodies.contentId, contents.id))
    .where(gt(contents.id, after))
    .orderBy(asc(contents.id))
    .limit(CONTENTS_AT_ONCE)

type ContentRow = Awaited<ReturnType<typeof contentsAfter>>[number]

const givenTexts = ({ content, text }: ContentRow): readonly string[] => [
  ...Object.values(indexedHeader(content)),
  ...Object.values(indexedBody({ text, attachments: content.attachments })),
  indexedTraits({ ...content, hasLink: content.hasLink === true }),
]

function writtenTexts({ content, text }: ContentRow): readonly string[] {
  const { subject, from, to, cc, bcc, attachments } = content
  const addresses = [...from, ...to, ...cc, ...bcc]
  return [
    subject,
    ...addresses.map(({ name, address }) => `${name ?? ''} ${address}`),
    ...attachments.map(({ filename }) => filename ?? ''),
    text ?? '',
  ]
}

const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
