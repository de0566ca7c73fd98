import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { domainToUnicode } from 'node:url'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { nodemailerSubmission } from '../../../../runtime/node/smtp/submission.ts'
import { type LabSmtp, startLabSmtp } from '../../../lab/smtp.ts'
import { anyAttachment, anyContent, anyLines } from '../../../support/any-outgoing.ts'
import { hasPython, mailparserReading, pythonReadings } from '../../../support/mime-readings.ts'
import { trustAuthority } from '../../../support/trusted-authority.ts'
import {
  attachmentOf,
  bytesOf,
  outgoing,
  sendWith,
  submissionSettings,
} from '../../../support/submitting.ts'

const RUNS = process.env['SVC_TEST_LONG'] === '1' ? 1_000 : 60

let smtp: LabSmtp
let directory: string
const submission = nodemailerSubmission()
beforeAll(async () => {
  smtp = await startLabSmtp({ tls: 'none' })
  directory = await mkdtemp(join(tmpdir(), 'svc-received-'))
})
afterAll(async () => {
  await submission.close()
  await smtp.stop()
  await rm(directory, { recursive: true, force: true })
})

const anyMessage = fc
  .tuple(
    anyContent,
    fc.option(anyLines, { nil: undefined }),
    fc.array(anyAttachment, { maxLength: 2 }),
  )
  .map(([said, html, attached]) =>
    outgoing(
      { ...said, bcc: [], ...(html !== undefined && { html }) },
      attached.map(({ attachment }) => attachment),
    ),
  )

test('what a server received is what was rendered, and two other parsers agree on what it says', async () => {
  expect(hasPython()).toBe(true)
  const sent = fc.sample(anyMessage, RUNS)
  const paths: string[] = []
  for (const [index, parts] of sent.entries()) {
    const source = () => submission.render(parts)
    const outcome = await sendWith(submission, { settings: submissionSettings(smtp), source })
    expect(outcome).toMatchObject({ became: 'sent', refused: [] })
    const received = smtp.accepted.at(-1)?.source ?? Buffer.alloc(0)
    expect(received).toEqual(await bytesOf(source()))
    const path = join(directory, `${index}.eml`)
    await writeFile(path, received)
    paths.push(path)
  }
  for (const [index, python] of pythonReadings(paths).entries()) {
    const source = smtp.accepted[index]?.source ?? Buffer.alloc(0)
    const mailparser = await mailparserReading(source)
    for (const field of ['subject', 'date', 'attachments'] as const)
      expect({ [field]: python[field] }).toEqual({ [field]: mailparser[field] })
    // Python's package takes no bytes above 127 in a header for UTF-8.
    if (hasUtf8Header(source)) continue
    // Nor a name with a line break, which only an encoded word can hold and the API refuses.
    if (/[\r\n]/.test(sent[index]?.message.from.name ?? '')) continue
    expect(domains(python.from)).toEqual(domains(mailparser.from))
    // It leaves spaces between the encoded words of a name (RFC 2047 section 6.2 does not).
    expect(compact(python.names)).toBe(compact(mailparser.names))
  }
})

const compact = (names = '') => names.replaceAll(/\s/g, '')

const domains = (from = '') => from.split('@').map((part) => domainToUnicode(part) || part)

const hasUtf8Header = (source: Buffer) =>
  source.subarray(0, source.indexOf('\r\n\r\n')).some((byte) => byte > 127)

test.each([
  { tls: 'starttls', secure: true },
  { tls: 'implicit', secure: true },
  { tls: 'none', secure: false },
] as const)('a message of every kind of part arrives over $tls', async ({ tls, secure }) => {
  const server = await startLabSmtp({ tls })
  onTestFinished(() => server.stop())
  trustAuthority(server.caFile)
  const trusting = nodemailerSubmission()
  onTestFinished(() => trusting.close())
  const original = Buffer.from('Subject: ä\r\n\r\nGrüße\r\n.\r\n')
  const parts = outgoing({ html: '<b>Hi</b>', subject: 'Grüße' }, [
    attachmentOf({ filename: 'Grüße.eml', contentType: 'message/rfc822' }, original),
    attachmentOf(
      { filename: 'a.zip', contentType: 'application/zip' },
      Buffer.alloc(2_000_000, 'a\r'),
    ),
  ])
  const source = () => trusting.render(parts)
  const settings = { ...submissionSettings(server), host: 'localhost', tls }
  for (let messages = 0; messages < 2; messages += 1)
    expect(await sendWith(trusting, { settings, source })).toMatchObject({ became: 'sent' })
  const rendered = await bytesOf(source())
  expect(server.accepted.map((each) => each.source)).toEqual([rendered, rendered])
  expect(server.accepted.every((each) => each.secure === secure)).toBe(true)
})
