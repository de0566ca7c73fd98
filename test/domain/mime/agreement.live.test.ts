import { describe, expect, test } from 'vitest'

import { CORPUS_FOLDER, corpusMessages } from '../../support/corpus.ts'
import {
  hasPython,
  mailparserReading,
  ownReading,
  pythonReadings,
  READING_FIELDS,
} from '../../support/mime-readings.ts'
import type { Reading } from '../../support/mime-readings.ts'

/** The share of messages of which mailparser alone says the same. */
const MAILPARSER_AGREES_MIN = { from: 0.994, subject: 0.983, date: 0.996 }

type Field = (typeof READING_FIELDS)[number]

/** A field of a message in which two other parsers agree with each other, and not with ours. */
interface Disagreement {
  readonly name: string
  readonly field: Field
  readonly ours: string
  readonly others: string
  /** The source, its bytes as characters. */
  readonly source: string
}

/** A reason to differ from both, and how often it may be one. */
interface Kind {
  readonly reason: string
  readonly max: number
  fits(disagreement: Disagreement): boolean
}

const ascii = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '')

const KINDS: readonly Kind[] = [
  {
    reason: 'bytes that are not of the character set are lost to the others, and read by us',
    max: 18,
    fits: ({ ours, others }) =>
      others.includes('\uFFFD') && !ours.includes('\uFFFD') && ascii(ours) === ascii(others),
  },
  {
    reason: 'a file that stands uuencoded in a text is an attachment to us, and text to the others',
    max: 8,
    fits: ({ field, ours, others, source }) =>
      /^begin [0-7]{3} /m.test(source) &&
      (field === 'text' ? /begin [0-7]{3} /.test(others) && ours !== '' : others === ''),
  },
  {
    reason: 'a multipart whose boundary never comes is text to us, and nothing to the others',
    max: 2,
    fits: ({ field, ours, others, source }) =>
      field === 'text' && ours.startsWith(others) && /boundary="inner-boundary"/.test(source),
  },
  {
    reason:
      'a Date whose zone has three digits names no instant: the others read +070 as 70 minutes',
    max: 1,
    fits: ({ field, ours, source }) =>
      field === 'date' && ours === '' && /^Date:.*[+-]\d{3}\r?$/m.test(source),
  },
  {
    reason: 'a From without any address: we take its last word for one, and the rest for the name',
    max: 1,
    fits: ({ field, source }) => field === 'names' && /^From: [^@<]+$/m.test(source),
  },
  {
    reason: 'a media type that cannot be read: we show the part as text, the others attach it',
    max: 1,
    fits: ({ field, ours, source }) =>
      field === 'attachments' && ours === '' && source.startsWith('Content-Type: text/plain>'),
  },
  {
    reason: 'another rendering of the body, for watches: we neither show nor attach it',
    max: 1,
    fits: ({ field, source }) =>
      field === 'attachments' && /^Content-Type: text\/watch-html/m.test(source),
  },
]

// mailparser knows no line ends of CR alone.
const messages = corpusMessages().filter(({ source }) => source.includes(0x0a))

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`

describe.skipIf(CORPUS_FOLDER === undefined)('our reading of real mail', () => {
  test('is that of mailparser', async () => {
    const agreed = { from: 0, subject: 0, date: 0 }
    for (const { source } of messages) {
      const [ours, theirs] = [await ownReading(source), await mailparserReading(source)]
      for (const field of ['from', 'subject', 'date'] as const) {
        if (ours[field] === theirs[field]) agreed[field]++
      }
    }
    for (const field of ['from', 'subject', 'date'] as const) {
      const share = agreed[field] / messages.length
      console.log(`${field}: ${percent(share)} of ${messages.length} as mailparser`)
      expect(share).toBeGreaterThanOrEqual(MAILPARSER_AGREES_MIN[field])
    }
  })

  test.skipIf(!hasPython())('is that of mailparser and Python where both agree', async () => {
    const { compared, disagreements } = await compare()
    for (const field of READING_FIELDS) {
      const differing = disagreements.filter((one) => one.field === field).length
      const share = percent(1 - differing / compared[field])
      console.log(`${field}: ${share} of the ${compared[field]} in which the two others agree`)
    }
    const byKind = Map.groupBy(disagreements, (one) => KINDS.find((kind) => kind.fits(one)))
    const nameless = byKind.get(undefined) ?? []
    expect(nameless.map(({ name, field, ours, others }) => [name, field, ours, others])).toEqual([])
    for (const kind of KINDS) {
      const count = byKind.get(kind)?.length ?? 0
      console.log(`${count} times ${kind.reason}`)
      expect(count, kind.reason).toBeLessThanOrEqual(kind.max)
    }
  })
})

test.runIf(CORPUS_FOLDER === undefined)('without SVC_TEST_CORPUS nothing is compared', () => {
  expect(messages).toEqual([])
})

test.runIf(!hasPython())('without python3 only mailparser is compared', () => {
  expect(hasPython()).toBe(false)
})

async function compare() {
  const compared: Record<Field, number> = {
    from: 0,
    names: 0,
    subject: 0,
    date: 0,
    text: 0,
    attachments: 0,
  }
  const disagreements: Disagreement[] = []
  const python = pythonReadings(messages.map(({ path }) => path))
  for (const [index, { name, source }] of messages.entries()) {
    const [ours, mailparser] = [await ownReading(source), await mailparserReading(source)]
    for (const field of READING_FIELDS) {
      const others = agreedOn(field, mailparser, python[index] ?? {})
      if (others === undefined) continue
      compared[field]++
      const own = ours[field] ?? ''
      if (own === others) continue
      const text = Buffer.from(source).toString('latin1')
      disagreements.push({ name, field, ours: own, others, source: text })
    }
  }
  return { compared, disagreements }
}

/** What both say. Of HTML each makes its own text, so that no text/plain is nothing to agree on. */
function agreedOn(field: Field, one: Reading, other: Reading): string | undefined {
  const agreed = one[field] === other[field] ? one[field] : undefined
  return field === 'text' && agreed === '' ? undefined : agreed
}
