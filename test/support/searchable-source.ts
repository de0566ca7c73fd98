import type { Random } from '../../cli/commands/local/demo/random.ts'

const TEXTS = [
  'alpha beta',
  'Alphabet naïve',
  'beta Gamma straße',
  'gamma alpha beta 2024',
  '東京都に住む',
  '京都 東京',
  'A社 京',
  'ภาษาไทย',
  '학교에서 학교',
  'see https://example.org/a at 10:30',
  'ｇａｍｍａ from: ada',
  'a-b o’neil x',
  '',
]
const PEOPLE = [
  'Ada <ada@example.org>',
  '"Grace, Naïve" <grace@mail.example.org>',
  '東京 <x@alpha.example>',
  'beta@example.org',
]
const FILES = ['report.pdf', 'alpha-beta.txt', '東京.pdf']

/** A small message of any shape: plain, HTML alone, or with an attachment. Each has a Message-ID of its own. */
export function searchableSource(random: Random, number: number): string {
  const people = (most: number) =>
    Array.from({ length: random.integer(0, most) }, () => random.pick(PEOPLE)).join(', ')
  const encoded = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
  const header = [
    `From: ${random.pick(PEOPLE)}`,
    `To: ${people(2)}`,
    `Cc: ${people(1)}`,
    `Bcc: ${people(1)}`,
    `Subject: ${encoded(random.pick(TEXTS))}`,
    `Message-ID: <m${number}@example.org>`,
  ]
  const text = `${random.pick(TEXTS)}\r\n\r\n${random.pick(TEXTS)}`
  const plain = ['Content-Type: text/plain; charset=utf-8', '', text]
  const shape = random.pick(['plain', 'html', 'attachment'])
  if (shape === 'plain') return [...header, ...plain].join('\r\n')
  if (shape === 'html') {
    const link = random.pick(['', '<a class=x href="/y">z</a>'])
    const html = `<p>${text.replace('\r\n\r\n', '</p><p>')}</p>${link}`
    return [...header, 'Content-Type: text/html; charset=utf-8', '', html].join('\r\n')
  }
  const name = `filename*=utf-8''${encodeURIComponent(random.pick(FILES))}`
  const kind = random.pick(['attachment', 'attachment', 'inline'])
  return [
    ...header,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    ...plain,
    '--b',
    `Content-Type: application/pdf`,
    `Content-Disposition: ${kind}; ${name}`,
    'Content-ID: <c@example.org>',
    '',
    'x'.repeat(random.integer(0, 1_000)),
    '--b--',
  ].join('\r\n')
}
