import * as fc from 'fast-check'
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import { digestMessage } from '../../../domain/mime/digest-message.ts'
import { messageBodies } from '../../../domain/mime/message-bodies.ts'
import { readAttachment } from '../../../domain/mime/read-attachment.ts'
import { fixture, message } from '../../support/mime-fixtures.ts'
import { threadCpuMs } from '../../support/thread-cpu-ms.ts'

const FIXTURES = readdirSync(new URL('../../fixtures/mime/', import.meta.url))

/** What holds for every source, however broken. */
async function expectSound(source: Uint8Array): Promise<void> {
  const digest = await digestMessage(source)
  expect(digest.dateHeaderMs).not.toBeNaN()
  expect(digest.snippet.length).toBeLessThanOrEqual(200)
  expect(digest.text).toBe((await messageBodies(source)).text)
  expect(digest.headersRaw).toEqual(source.slice(0, digest.headersRaw.length))
  for (const [index, info] of digest.attachments.entries()) {
    const attachment = await readAttachment(source, digest.attachments, index)
    expect(attachment?.info).toEqual(info)
    expect(attachment?.bytes).toHaveLength(info.size)
    // oxlint-disable-next-line no-control-regex -- what a file name must not have
    expect(info.filename).toMatch(/^[^/\\\x00-\x1f]+$/)
  }
}

test('random bytes', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), expectSound), {
    numRuns: 300,
  })
})

test('lines out of mail in any order', async () => {
  const line = fc.constantFrom(
    'Content-Type: multipart/mixed; boundary=b',
    'Content-Type: multipart/alternative; boundary="c"',
    'Content-Type: message/rfc822',
    'Content-Type: text/html; charset=utf-16',
    'Content-Type: text/plain; charset=utf-7; format=flowed',
    'Content-Type:',
    'Content-Transfer-Encoding: base64',
    'Content-Transfer-Encoding: quoted-printable',
    'Content-Disposition: attachment; filename*0*=x%; filename*1=',
    'Subject: =?utf-8?B?4pyT?= =?utf-7?Q?+2D3?=',
    'From: "a, <b@c>, d: e;',
    'Date: Tue, 99 Feb',
    '--b',
    '--b--',
    '--c',
    '--c--',
    '',
    ' folded',
    '=E2=82=\xac= +AAA-',
    '<p><b>',
    '\0',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 40 }), (lines) => expectSound(message(...lines))),
    { numRuns: 500 },
  )
})

test.each(FIXTURES)('%s with bytes changed, cut out and repeated', async (name) => {
  const source = fixture(name).subarray(0, 20_000)
  const at = fc.nat({ max: source.length })
  await fc.assert(
    fc.asyncProperty(at, at, fc.uint8Array({ maxLength: 20 }), async (start, end, bytes) => {
      const mutated = Buffer.concat([source.subarray(0, start), bytes, source.subarray(end)])
      await expectSound(new Uint8Array(mutated))
    }),
    { numRuns: 20 },
  )
})

const MADE_BYTES = 2_000_000
const many = (text: string): string => text.repeat(MADE_BYTES / text.length)

/** A header as long as one is read, all of it address fields. */
const addressFields = (text: string): string =>
  ['To', 'Cc', 'Bcc', 'Reply-To']
    .map((name) => `${name}: ${text.repeat(250_000 / text.length)}`)
    .join('\r\n')

describe('sources made to take forever take no more than a second', () => {
  const boundaries = Array.from(
    { length: 500 },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  )
  test.each([
    ['nested multiparts', boundaries.join('')],
    ['a million parts', `Content-Type: multipart/mixed; boundary=b\r\n\r\n${many('--b\r\n\r\n')}`],
    [
      'lines that begin like boundaries',
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${many('--bx\r\n')}`,
    ],
    ['odd header lines', `${many('odd\r\n')}Subject: x\r\n`],
    ['odd and folded header lines', many('odd\r\n \r\n')],
    ['one endless header line', `To: ${many('a,')}`],
    ['angle brackets', `To: ${many('<')}\r\nFrom: ${many('<a@')}`],
    ['quotes and comments', `To: ${many('"(')}\r\nReferences: ${many('<')}`],
    ['groups', `To: ${many('a:')}`],
    ['groups in groups', addressFields(`${'a'.repeat(100)}:`)],
    ['groups beside groups', addressFields('a:b@c;')],
    ['commas', addressFields('a,')],
    ['spaces in angle brackets', addressFields(`<a${' '.repeat(3980)}b@c>,`)],
    ['encoded names', addressFields('=?utf8mb4?Q?=C3=A4?= <a@b>,')],
    ['address fields', many('To: a,\r\n')],
    ['words in unknown character sets', `Subject: ${many('=?x-none?Q?=C3=A4?= ')}`],
    ['encoded words', `Subject: ${many('=?utf-8?B?4p?= ')}`],
    ['unfinished encoded words', `Subject: ${many('=?a?Q?')}`],
    ['UTF-7', `Content-Type: text/plain; charset=utf-7\r\n\r\n${many('+')}`],
    ['quoted-printable spaces', `Content-Transfer-Encoding: quoted-printable\r\n\r\n${many('= ')}`],
    ['parameters', `Content-Type: a/b; ${many('x*0*=%; ')}`],
    ['white space', `Subject: x\r\n\r\n${many(' ')}x${many('\t\n')}`],
  ])('%s', { timeout: 20_000 }, async (_, text) => {
    const start = threadCpuMs()
    await digestMessage(message(text))
    expect(threadCpuMs() - start).toBeLessThan(1000)
  })
})
