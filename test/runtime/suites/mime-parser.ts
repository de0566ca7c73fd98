import { describe, expect, test } from 'vitest'

import type { MimeParser } from '../../../runtime/ports/mime-parser.ts'
import { fixture } from '../../support/mime-fixtures.ts'

/** What every MimeParser guarantees. `use` runs a body with a parser of its own. */
export function mimeParserSuite(
  name: string,
  use: (body: (parser: MimeParser) => Promise<void>) => Promise<void>,
): void {
  describe(`${name} as a MimeParser`, () => {
    test('digest, bodies and attachments speak of the same message', () =>
      use(async (parser) => {
        const source = fixture('attachments-exact.eml')
        const digest = await parser.digest(source)
        expect(digest.subject).toBe('Three attachments')
        expect(digest.headersRaw).toBeInstanceOf(Uint8Array)
        expect((await parser.bodies(source)).text).toBe(digest.text)
        for (const [index, info] of digest.attachments.entries()) {
          const attachment = await parser.attachment(source, index)
          expect(attachment?.info).toEqual(info)
          expect(attachment?.bytes).toHaveLength(info.size)
        }
        expect(await parser.attachment(source, digest.attachments.length)).toBeUndefined()
        expect(await parser.attachment(source, -1)).toBeUndefined()
      }))

    test('the caller keeps the source', () =>
      use(async (parser) => {
        const source = fixture('attachments-exact.eml')
        const copy = new Uint8Array(source)
        await Promise.all([parser.digest(source), parser.bodies(source), parser.digest(source)])
        expect(source).toEqual(copy)
      }))

    test('what is no message at all is read as far as it goes', () =>
      use(async (parser) => {
        for (const bytes of [[], [0], [10], [13], [45, 45], [255, 254, 0, 0]]) {
          const digest = await parser.digest(Uint8Array.from(bytes))
          expect(digest.from).toEqual([])
          expect(digest.subject).toBe('')
        }
      }))
  })
}
