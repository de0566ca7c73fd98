import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddressObject, HeaderLines } from 'mailparser'
import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'

import { digestMessage } from '../../../domain/mime/digest-message.ts'
import { readAttachment } from '../../../domain/mime/read-attachment.ts'
import type { MessageDigest } from '../../../runtime/ports/mime-parser.ts'

const FOLDER = process.env['SVC_TEST_CORPUS']

/** The share of messages of which mailparser says the same; what remains is where it is wrong or they guess. */
const AGREEMENT_MIN = { from: 0.99, subject: 0.98, date: 0.99 }
const MESSAGE_MS_MAX = 2000

const sources = (folder: string): readonly Uint8Array[] =>
  readFileSync(join(folder, 'index.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { file: string })
    .map(({ file }) => new Uint8Array(readFileSync(join(folder, file))))

describe.skipIf(FOLDER === undefined)('real mail of SVC_TEST_CORPUS', () => {
  test('every message is read, in bounded time, its attachments too', async () => {
    for (const source of sources(FOLDER ?? '')) {
      const start = performance.now()
      const digest = await digestMessage(source)
      expect(performance.now() - start).toBeLessThan(MESSAGE_MS_MAX)
      expect(digest.dateHeaderMs).not.toBeNaN()
      expect(digest.snippet.length).toBeLessThanOrEqual(200)
      for (const [index, info] of digest.attachments.entries()) {
        expect((await readAttachment(source, index))?.bytes).toHaveLength(info.size)
      }
    }
  })

  test('From, Subject and Date are what mailparser says', { timeout: 120_000 }, async () => {
    // mailparser knows no line ends of CR alone.
    const readable = sources(FOLDER ?? '').filter((source) => source.includes(0x0a))
    const agreed = { from: 0, subject: 0, date: 0 }
    for (const source of readable) {
      const [ours, theirs] = [compared(await digestMessage(source)), await mailparserOf(source)]
      for (const field of ['from', 'subject', 'date'] as const) {
        if (ours[field] === theirs[field]) agreed[field]++
      }
    }
    const rates = Object.entries(agreed).map(([field, count]) => [field, count / readable.length])
    console.log(
      `agreement with mailparser over ${readable.length} messages:`,
      Object.fromEntries(rates),
    )
    for (const field of ['from', 'subject', 'date'] as const) {
      expect(agreed[field] / readable.length).toBeGreaterThanOrEqual(AGREEMENT_MIN[field])
    }
  })
})

test.runIf(FOLDER === undefined)('without SVC_TEST_CORPUS only our own fixtures are read', () => {
  expect(FOLDER).toBeUndefined()
})

interface Compared {
  readonly from: string
  readonly subject: string
  readonly date: number | undefined
}

const folded = (text: string): string => text.replaceAll(/[\s\0\u{FEFF}]+/gu, ' ').trim()

const compared = ({ from, subject, dateHeaderMs }: MessageDigest): Compared => ({
  from: from.map(({ address }) => address.toLowerCase()).join(),
  subject: folded(subject),
  date: dateHeaderMs,
})

async function mailparserOf(source: Uint8Array): Promise<Compared> {
  const { from, subject = '', headerLines } = await simpleParser(Buffer.from(source))
  return {
    from: mailboxes(from).join().toLowerCase(),
    subject: folded(subject),
    date: dateOf(headerLines),
  }
}

const mailboxes = (object: AddressObject | undefined): readonly string[] =>
  (object?.value ?? [])
    .flatMap((address) => address.group ?? [address])
    .flatMap(({ address }) => (address ? [address] : []))

/** mailparser takes the time of day for a date that it cannot read, so its own reading is repeated here. */
function dateOf(headerLines: HeaderLines): number | undefined {
  const line = headerLines.find(({ key }) => key === 'date')?.line ?? ''
  const ms = new Date(line.slice(line.indexOf(':') + 1).trim()).getTime()
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000) * 1000
}
