import { simpleParser } from 'mailparser'
import type { ParsedMail } from 'mailparser'
import { beforeAll, expect, test } from 'vitest'

import { demoMessages, nextMail } from '../../../../../cli/commands/local/demo/mails.ts'
import type { DemoMessage } from '../../../../../cli/commands/local/demo/mails.ts'

const NOW = new Date('2026-03-14T09:26:53Z')

async function all(): Promise<DemoMessage[]> {
  const messages: DemoMessage[] = []
  for await (const message of demoMessages(NOW)) messages.push(message)
  return messages
}

let messages: DemoMessage[]
let parsed: ParsedMail[]
beforeAll(async () => {
  messages = await all()
  parsed = await Promise.all(messages.map(({ source }) => simpleParser(Buffer.from(source))))
})

test('there are about three hundred, and the same ones every time', async () => {
  expect(messages.length).toBeGreaterThan(280)
  expect(messages.length).toBeLessThan(320)
  expect(await all()).toEqual(messages)
})

test('all folders have mail, one of them is nested and one is not ASCII', () => {
  expect(new Set(messages.map(({ folder }) => folder))).toEqual(
    new Set([
      'INBOX',
      'Sent',
      'Drafts',
      'Archive',
      'Junk',
      'Trash',
      'Projects/Harbour house',
      'Familie & Küche',
    ]),
  )
})

test('they lie between a year and a half ago and now, some unread, some starred', () => {
  const dates = messages.map(({ internalDate }) => internalDate.getTime())
  expect(Math.max(...dates)).toBeLessThanOrEqual(NOW.getTime())
  expect(Math.max(...dates)).toBeGreaterThan(NOW.getTime() - 12 * 3_600_000)
  expect(Math.min(...dates)).toBeGreaterThan(NOW.getTime() - 580 * 86_400_000)
  expect(Math.min(...dates)).toBeLessThan(NOW.getTime() - 450 * 86_400_000)
  const unread = messages.filter(({ flags }) => !flags.includes('\\Seen')).length
  expect(unread).toBeGreaterThan(20)
  expect(unread).toBeLessThan(80)
  expect(messages.some(({ flags }) => flags.includes('\\Flagged'))).toBe(true)
})

test('every message has its own Message-ID, and every reply refers to ones that exist and are older', () => {
  const dates = new Map(parsed.map(({ messageId, date }) => [messageId, date?.getTime() ?? NaN]))
  expect(dates.size).toBe(messages.length)
  const replies = parsed.filter(({ inReplyTo }) => inReplyTo !== undefined)
  expect(replies.length).toBeGreaterThan(60)
  for (const { inReplyTo, references, date } of replies)
    for (const reference of [references ?? [], inReplyTo ?? ''].flat())
      expect(dates.get(reference)).toBeLessThan(date?.getTime() ?? NaN)
})

test('no two messages have the same text', () => {
  const texts = parsed.map(({ subject, text }) => `${subject}\n${text}`)
  expect(new Set(texts).size).toBe(messages.length)
})

test('attachments, invitations and pictures in the text are what they say', () => {
  const attachments = parsed.flatMap((mail) => mail.attachments)
  const start = (type: string) =>
    attachments.find(({ contentType }) => contentType === type)?.content.toString('latin1')
  expect(start('application/pdf')).toMatch(/^%PDF-1\.4[^]*%%EOF\n$/)
  expect(start('image/png')).toMatch(/^.PNG\r\n[^]*IEND/)
  expect(start('text/csv')).toMatch(/^"Position","Text","Price"\r\n/)
  expect(start('text/vcard')).toMatch(/^BEGIN:VCARD\r\n/)
  expect(attachments.some(({ filename }) => filename === '見積書.pdf')).toBe(true)
  expect(attachments.some(({ related, cid }) => related && cid === 'cover')).toBe(true)
  const sources = messages.map(({ source }) => Buffer.from(source).toString('latin1'))
  expect(
    sources.some((source) => /text\/calendar; charset=utf-8; method=REQUEST/.test(source)),
  ).toBe(true)
})

test('many scripts, newsletters to unsubscribe from, HTML with and without text', () => {
  const subjects = parsed.map(({ subject }) => subject).join('\n')
  for (const script of ['Han', 'Hiragana', 'Katakana', 'Thai', 'Arabic', 'Cyrillic', 'Hangul'])
    expect(subjects).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'))
  const sources = messages.map(({ source }) => Buffer.from(source).toString('latin1'))
  const count = (pattern: RegExp) => sources.filter((source) => pattern.test(source)).length
  expect(count(/^List-Unsubscribe: /m)).toBeGreaterThan(40)
  expect(count(/multipart\/alternative/)).toBeGreaterThan(40)
  expect(count(/^Content-Type: text\/html/m)).toBeGreaterThan(40)
})

test('new mail never comes twice', async () => {
  const sources = await Promise.all(Array.from({ length: 60 }, (_, n) => nextMail(n, NOW)))
  const arrived = await Promise.all(sources.map((source) => simpleParser(Buffer.from(source))))
  expect(new Set(arrived.map(({ messageId }) => messageId)).size).toBe(60)
  for (const mail of arrived) {
    expect(mail.date).toEqual(new Date(Math.floor(NOW.getTime() / 1000) * 1000))
    expect(mail.subject).toBeTruthy()
    expect(mail.from?.value[0]?.address).toContain('@')
  }
})
