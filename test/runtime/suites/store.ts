import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accounts } from '../../../db/schema/accounts.ts'
import { contentBodies, contents } from '../../../db/schema/contents.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import type { Store } from '../../../runtime/ports/store.ts'

const token = (selector: string) => ({
  selector,
  secretHash: 'hash',
  label: 'test',
  scopes: 'mail:read',
  createdAt: 1,
})

/** What every Store promises. `open` gives another store over the same, migrated database. */
export function storeSuite(open: () => Promise<Store>): void {
  const selectors = async (store: Store) =>
    (
      await store.read.select({ selector: tokens.selector }).from(tokens).orderBy(tokens.selector)
    ).map(({ selector }) => selector)

  test('a commit returns what each statement returned and is seen by every store', async () => {
    const [first, second] = [await open(), await open()]
    const [inserted, updated] = await first.commit((write) => [
      write.insert(tokens).values(token('a')).returning({ selector: tokens.selector }),
      write
        .update(tokens)
        .set({ label: 'changed' })
        .where(eq(tokens.selector, 'a'))
        .returning({ label: tokens.label }),
    ])
    expect(inserted).toEqual([{ selector: 'a' }])
    expect(updated).toEqual([{ label: 'changed' }])
    expect(await selectors(second)).toContain('a')
  })

  test('a commit in which one statement fails changes nothing', async () => {
    const store = await open()
    const before = await selectors(store)
    await expect(
      store.commit((write) => [
        write.insert(tokens).values(token('half')),
        write.insert(tokens).values(token('half')),
      ]),
    ).rejects.toThrow()
    expect(await selectors(store)).toEqual(before)
  })

  test('a transaction sees its own writes and is rolled back when its work throws', async () => {
    const store = await open()
    await expect(
      store.transaction(async (tx) => {
        await tx.insert(tokens).values(token('gone'))
        expect(await tx.select().from(tokens).where(eq(tokens.selector, 'gone'))).toHaveLength(1)
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await selectors(store)).not.toContain('gone')
  })

  test('writes that come at once all succeed', async () => {
    const store = await open()
    const names = Array.from({ length: 40 }, (_, index) => `many-${String(index).padStart(2, '0')}`)
    await Promise.all(
      names.map((name) => store.commit((write) => [write.insert(tokens).values(token(name))])),
    )
    expect(await selectors(store)).toEqual(expect.arrayContaining(names))
  })

  test('a failed write does not stop the next one', async () => {
    const store = await open()
    await expect(store.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await store.commit((write) => [write.insert(tokens).values(token('after'))])
    expect(await selectors(store)).toContain('after')
  })

  test('bytes come back as they were kept', async () => {
    const store = await open()
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const json = { references: [], from: [], to: [], cc: [], bcc: [], replyTo: [], attachments: [] }
    const folded = { subject: '', subjectFolded: '', fromFolded: '', toFolded: '', snippet: '' }
    await store.commit((write) => [
      write
        .insert(contents)
        .values({ id: 1, sourceHash: 'x', size: 1, hasAttachments: false, ...json, ...folded }),
      write.insert(contentBodies).values({ contentId: 1, hasHtml: false, headersRaw: bytes }),
    ])
    const [row] = await store.read.select().from(contentBodies)
    expect(new Uint8Array(row?.headersRaw ?? [])).toEqual(bytes)
  })

  test('a long read sees what was committed, and reads it as every read does', async () => {
    const store = await open()
    await store.commit((write) => [write.insert(tokens).values(token('long'))])
    const isLong = eq(tokens.selector, 'long')
    const rows = await store.longRead.select().from(tokens).where(isLong)
    expect(rows).toEqual(await store.read.select().from(tokens).where(isLong))
    expect(rows).toMatchObject([token('long')])
    const query = store.longRead
      .select({ label: tokens.label })
      .from(tokens)
      .where(eq(tokens.selector, sql.placeholder('selector')))
      .prepare()
    expect(await query.get({ selector: 'long' })).toEqual({ label: 'test' })
    expect(await query.values({ selector: 'long' })).toEqual([['test']])
    expect(await query.all({ selector: 'nobody' })).toEqual([])
    expect(await query.get({ selector: 'nobody' })).toBeUndefined()
  })

  test('many long reads at once are all answered, those that fail with an error', async () => {
    const { longRead } = await open()
    const label = (value: number) => longRead.select({ value: sql`${value}` }).from(sql`(select 1)`)
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => label(index)))
    expect(answers.flat()).toEqual(Array.from({ length: 30 }, (_, value) => ({ value })))
    await expect(longRead.select().from(sql`nothing`)).rejects.toThrow()
    expect(await label(1)).toEqual([{ value: 1 }])
  })

  test('a reference to a row that does not exist is refused', async () => {
    const store = await open()
    await expect(
      store.commit((write) => [
        write
          .insert(contentBodies)
          .values({ contentId: 99, hasHtml: false, headersRaw: new Uint8Array() }),
      ]),
    ).rejects.toThrow()
    expect(await store.read.select().from(accounts)).toEqual([])
  })
}
