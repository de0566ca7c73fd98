import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { digestMessage } from '../../../domain/mime/digest-message.ts'
import { readAttachment } from '../../../domain/mime/read-attachment.ts'
import { cutUuencoded, decodeUuencoded } from '../../../domain/mime/uuencode.ts'
import { fixture, message } from '../../support/mime-fixtures.ts'
import { threadCpuMs } from '../../support/thread-cpu-ms.ts'

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const text = (of: Uint8Array): string => Buffer.from(of).toString('latin1')

const ALL_BYTES = Array.from({ length: 256 }, (_, at) => at)

test('files that stand in a text are attachments, and the text is shown without them', async () => {
  const source = fixture('uuencode.eml')
  const digest = await digestMessage(source)
  expect(digest.text).toBe(
    'Grüße! The files:\n\n\nand\n\n\n' +
      'begin 644 of the week we talk about this\nthe end\n\n' +
      `begin 644 cut-off.bin\nM${'`'.repeat(60)}`,
  )
  expect(digest.indexText.body).not.toContain('all bytes')
  const octets = { contentType: 'application/octet-stream', inline: false }
  expect(digest.attachments).toEqual([
    { filename: 'all bytes.bin', size: 256, ...octets },
    { filename: 'attachment-2.bin', size: 90, ...octets },
    { filename: 'part.bin', size: 256, ...octets },
  ])
})

test('their bytes are exact, also where spaces at the end of lines were lost', async () => {
  const source = fixture('uuencode.eml')
  const { attachments } = await digestMessage(source)
  const attached = await Promise.all(
    attachments.map((_, index) => readAttachment(source, attachments, index)),
  )
  const [all, zeros, part] = attached.map((attachment) => [...(attachment?.bytes ?? [])])
  expect(all).toEqual(ALL_BYTES)
  expect(text(new Uint8Array(zeros ?? []))).toBe(
    `${'z'.repeat(45)}${'\0'.repeat(15)}x${'\0'.repeat(29)}`,
  )
  expect(part).toEqual(ALL_BYTES.toReversed())
})

test('any bytes come back, whether zeros were written as spaces or as backticks', () => {
  const full = new Uint8Array(45).fill(255)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (rest, spaces) => {
      const file = spaces ? new Uint8Array([...full, ...rest]) : rest
      const { files } = cutUuencoded(bytes(encoded(file, spaces)), 1)
      expect(files.map(({ body }) => decodeUuencoded(body))).toEqual([file])
    }),
  )
})

/** What uuencode writes, three bytes as four characters. */
function encoded(file: Uint8Array, spaces: boolean): string {
  const lines = ['begin 644 file']
  for (let at = 0; at < file.length; at += 45) {
    const line = file.subarray(at, at + 45)
    const bits = [...line].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    const sextets = bits.padEnd(Math.ceil(line.length / 3) * 24, '0').match(/.{6}/g) ?? []
    const values = [line.length, ...sextets.map((sextet) => Number.parseInt(sextet, 2))]
    const text = String.fromCharCode(...values.map((value) => value + 32))
    lines.push(spaces ? text.trimEnd() : text.replaceAll(' ', '`'))
  }
  return [...lines, '`', 'end', ''].join('\n')
}

test.each([
  ['no first line', 'M$$$\nend\n'],
  ['no mode', 'begin at the beginning\n`\nend\n'],
  ['no end', 'begin 644 a\n#86)C\n`\n'],
  ['small letters inside', 'begin 644 a\n#86)c\n`\nend\n'],
  ['a line longer than it says', 'begin 644 a\n#86)C!!!\n`\nend\n'],
  ['an end that goes on', 'begin 644 a\n#86)C\n`\nending\n'],
  ['dots for what is left out', 'begin 644 name\n...\nend\n'],
  ['dots in the place of its bytes', 'begin 644 name\nM...\n`\nend\n'],
  ['capitals', 'begin 644 REPORT\nALL UNITS SHIP AT 0400.\nBRING THE KEYS.\n\nend\n'],
  ['one line of capitals', 'begin 644 REPORT\nMEET ME AT NOON.\n\nend\n'],
  ['nothing between its first line and its end', 'begin 644 a\nend\n'],
  ['an empty line for its bytes', 'begin 644 a\n\nend\n'],
  ['a short line and no line of no bytes', 'begin 644 a\n#86)C\n#86\nend\n'],
  ['a line that says more than those before', 'begin 644 a\n#86)C\n$86)C9```\n`\nend\n'],
])('with %s it is text', (_, written) => {
  expect(cutUuencoded(bytes(written), 10)).toEqual({ text: bytes(written), files: [] })
})

test('a part that only says it is uuencoded keeps its bytes', () => {
  expect(decodeUuencoded(bytes('abc'))).toEqual(bytes('abc'))
})

test('prose that explains the format loses nothing', async () => {
  const prose = 'The format:\n\nbegin 644 name\n...\nend\n\nThat is all.\n'
  const digest = await digestMessage(message('Subject: x', '', prose))
  expect(digest.text).toBe(prose)
  expect(digest.attachments).toEqual([])
})

test.each([
  ['CRLF', '\r\n'],
  ['LF', '\n'],
  ['CR', '\r'],
])('lines may end in %s', (_, lineBreak) => {
  const written = ['before', 'begin 644 a.txt', '#86)C', '`', 'end', 'after'].join(lineBreak)
  const cut = cutUuencoded(bytes(written), 10)
  expect(text(cut.text)).toBe(['before', 'after'].join(lineBreak))
  expect(cut.files.map(({ filename, body }) => [filename, text(decodeUuencoded(body))])).toEqual([
    ['a.txt', 'abc'],
  ])
})

test('the line of no bytes may be missing where all others hold what they say', () => {
  const { text: rest, files } = cutUuencoded(bytes('begin 644 a\n#86)C\n#86)C\nend\n'), 10)
  expect(text(rest)).toBe('')
  expect(files.map(({ body }) => text(decodeUuencoded(body)))).toEqual(['abcabc'])
})

test('a file that begins inside another one ends the outer one', () => {
  const { text: rest, files } = cutUuencoded(
    bytes('begin 644 outer\nbegin 644 inner\n#86)C\n`\nend\n'),
    10,
  )
  expect(text(rest)).toBe('begin 644 outer\n')
  expect(files.map(({ filename }) => filename)).toEqual(['inner'])
})

test('of endless files the first thousand are attachments', async () => {
  const source = message('', 'begin 644 a\n`\nend\n'.repeat(50_000))
  const { attachments } = await digestMessage(source)
  expect(attachments).toHaveLength(1000)
})

const LINES = 1_000_000
test.each([
  ['beginnings', 'begin 644 a\n'.repeat(LINES)],
  ['beginnings with something in them', 'begin 644 a\n#86)C\n'.repeat(LINES / 2)],
  ['lines of a file that never ends', `begin 644 a\n${`M${'!'.repeat(60)}\n`.repeat(LINES / 10)}`],
  ['lines that say more than they hold', `begin 644 a\n${'M\n'.repeat(LINES)}end\n`],
  ['empty lines', `begin 644 a\n${'\n'.repeat(LINES)}end\n`],
  ['files', 'begin 644 a\n`\nend\n'.repeat(LINES / 3)],
])('a million %s take linear time and bounded memory', { timeout: 20_000 }, async (_, written) => {
  const start = threadCpuMs()
  const { attachments } = await digestMessage(message('Subject: x', '', written))
  expect(threadCpuMs() - start).toBeLessThan(3000)
  for (const { size } of attachments) expect(size).toBeLessThanOrEqual(16 * 1024 * 1024)
})
