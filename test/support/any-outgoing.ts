import * as fc from 'fast-check'
import { attachmentOf } from './submitting.ts'

/** Characters that have broken mail before, besides all the others. */
const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...Array.from('aB7 ,;:"\'\\()<>[]@=?_.-%*')) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...Array.from('éßñ日本語عב\u{1f600}\u{e0001}\u00a0\u2028')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
)
const words = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: character, maxLength }),
    fc.constantFrom(
      '=?utf-8?Q?a=0D=0ABcc:_x?=',
      'a'.repeat(2_000),
      `${'b '.repeat(900)}c`,
      ' ',
      '  x ',
    ),
  )
export const anyLines = fc
  .array(
    fc.oneof(
      words(200),
      fc.constantFrom('.', '..', 'From me', '-- ', 'x'.repeat(3_000), 'é'.repeat(600)),
    ),
    { maxLength: 8 },
  )
  .chain((some) => fc.constantFrom('\n', '\r\n', '\r').map((end) => some.join(end)))
const local = fc.constantFrom('ann', 'a.b+c', '"an n"', '"a@b"', 'ünï', '用户')
const domain = fc.constantFrom('example.org', 'bücher.example', '例え.jp', '[192.0.2.1]')
const mailbox = fc.record(
  {
    name: words(60),
    address: fc.tuple(local, domain).map(([user, host]) => `${user}@${host}`),
  },
  { requiredKeys: ['address'] },
)
/** An attachment of any kind, and its bytes. */
export const anyAttachment = fc
  .record({
    // mailparser decodes what looks like an encoded word although RFC 2231 has said what the name is.
    filename: words(80).map((name) => name.replaceAll(/[\0\r\n]|=\?/g, '') || 'a'),
    contentType: fc.constantFrom(
      'text/plain',
      'text/csv; charset=utf-16',
      'application/pdf',
      'multipart/mixed',
      'message/partial',
      'no type\r\nX-Evil: 1',
      '',
    ),
    bytes: fc.uint8Array({ maxLength: 3_000 }),
    block: fc.integer({ min: 1, max: 200 }),
  })
  .map(({ filename, contentType, bytes, block }) => ({
    bytes,
    attachment: attachmentOf({ filename, contentType }, bytes, block),
  }))

/** What a message of any shape says, but for its attachments. */
export const anyContent = fc.record({
  from: mailbox,
  to: fc.array(mailbox, { maxLength: 4 }),
  cc: fc.array(mailbox, { maxLength: 2 }),
  replyTo: fc.array(mailbox, { maxLength: 2 }),
  subject: words(300),
  text: anyLines,
  references: fc.array(
    fc.oneof(
      fc.uuid().map((id) => `${id}@example.org`),
      words(30),
      fc.constant('a'.repeat(2_000)),
    ),
    { maxLength: 40 },
  ),
})
