import { describe, expect, test } from 'vitest'

import { digestMessage } from '../../../domain/mime/digest-message.ts'
import type { SourceReader, SourceReading } from '../../../runtime/ports/source-reader.ts'
import type { SourceStore } from '../../../runtime/ports/source-store.ts'
import { fixture, message } from '../../support/mime-fixtures.ts'

const MISSING = { sourceHash: 'ab'.repeat(32), size: 1, attachments: [] }

/** What was found; fails the test when nothing was. */
export async function foundIn<Found>(reading: Promise<SourceReading<Found>>): Promise<Found> {
  const read = await reading
  if (typeof read === 'string') throw new Error(`The source is ${read}.`)
  return read.found
}

export const bytesOf = async (stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined) =>
  new Uint8Array(await new Response(stream ?? null).arrayBuffer())

/** What every SourceReader guarantees. `use` runs a body with a reader of its own and the store it reads. */
export function sourceReaderSuite(
  name: string,
  use: (body: (reader: SourceReader, store: SourceStore) => Promise<void>) => Promise<void>,
): void {
  const keep = async (store: SourceStore, source: Uint8Array) => ({
    sourceHash: await store.put(source),
    size: source.byteLength,
    attachments: (await digestMessage(source)).attachments,
  })

  describe(`${name} as a SourceReader`, () => {
    test('bodies and attachments are what the digest speaks of', () =>
      use(async (reader, store) => {
        const source = fixture('attachments-exact.eml')
        const digest = await digestMessage(source)
        const kept = await keep(store, source)
        expect((await foundIn(reader.bodies(kept))).text).toBe(digest.text)
        for (const [index, info] of digest.attachments.entries()) {
          const attachment = await foundIn(reader.attachment(kept, index))
          expect(attachment).toMatchObject({ info, size: info.size })
          expect(await bytesOf(attachment?.stream)).toHaveLength(info.size)
        }
        for (const index of [digest.attachments.length, -1])
          expect(await foundIn(reader.attachment(kept, index))).toBeUndefined()
      }))

    test('a source is handed out byte for byte, also without any bytes and with many', () =>
      use(async (reader, store) => {
        const many = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 7919) % 256)
        for (const source of [new Uint8Array(0), many]) {
          const { size, stream } = await foundIn(reader.whole(await keep(store, source)))
          expect(size).toBe(source.byteLength)
          expect(Buffer.compare(await bytesOf(stream), source)).toBe(0)
        }
      }))

    test('an attachment without bytes ends at once', () =>
      use(async (reader, store) => {
        const source = message('Content-Type: a/b', 'Content-Transfer-Encoding: base64', '', '')
        const attachment = await foundIn(reader.attachment(await keep(store, source), 0))
        expect(attachment?.size).toBe(0)
        expect(await bytesOf(attachment?.stream)).toHaveLength(0)
      }))

    test('a missing source is not the same as one of which only the header is kept', () =>
      use(async (reader, store) => {
        const { sourceHash } = await keep(store, message('Subject: x', ''))
        const cut = { sourceHash, size: 10 ** 9, attachments: [] }
        for (const [source, reading] of [
          [MISSING, 'missing'] as const,
          [cut, 'header_only'] as const,
        ]) {
          expect(await reader.bodies(source)).toBe(reading)
          expect(await reader.attachment(source, 0)).toBe(reading)
          expect(await reader.whole(source)).toBe(reading)
        }
      }))

    test('a source that is given along is read without being kept, unless it is another', () =>
      use(async (reader, store) => {
        const bytes = fixture('attachments-exact.eml')
        const kept = await keep(store, bytes)
        await store.delete(kept.sourceHash)
        expect(await reader.whole(kept)).toBe('missing')
        const given = { ...kept, bytes }
        const { text, attachments } = await digestMessage(bytes)
        expect((await foundIn(reader.bodies(given))).text).toBe(text)
        const { stream } = await foundIn(reader.whole(given))
        expect(Buffer.compare(await bytesOf(stream), bytes)).toBe(0)
        const attachment = await foundIn(reader.attachment(given, 0))
        expect(await bytesOf(attachment?.stream)).toHaveLength(attachments[0]?.size ?? NaN)
        const another = { ...given, bytes: bytes.subarray(1) }
        expect(await reader.bodies(another)).toBe('missing')
        expect(await reader.attachment(another, 0)).toBe('missing')
        expect(await reader.whole(another)).toBe('missing')
        expect(await reader.whole(kept)).toBe('missing')
      }))

    test('what is no message at all is read as far as it goes', () =>
      use(async (reader, store) => {
        for (const bytes of [[], [0], [10], [13], [45, 45], [255, 254, 0, 0]]) {
          const kept = await keep(store, Uint8Array.from(bytes))
          expect(await foundIn(reader.bodies(kept))).not.toHaveProperty('html')
        }
      }))
  })
}
