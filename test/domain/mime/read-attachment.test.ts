import { describe, expect, test } from 'vitest'

import { digestMessage } from '../../../domain/mime/digest-message.ts'
import { readAttachment } from '../../../domain/mime/read-attachment.ts'
import { fixture, message } from '../../support/mime-fixtures.ts'

const latin1 = (bytes: Uint8Array | undefined): string =>
  Buffer.from(bytes ?? []).toString('latin1')

async function attachments(source: Uint8Array) {
  const { attachments: listed } = await digestMessage(source)
  return Promise.all(listed.map((_, index) => readAttachment(source, listed, index)))
}

describe('bytes are exactly as sent', () => {
  test('base64, quoted-printable and 8bit', async () => {
    const [base64, quoted, eight] = await attachments(fixture('attachments-exact.eml'))
    expect([...(base64?.bytes ?? [])]).toEqual(Array.from({ length: 256 }, (_, at) => at))
    expect(latin1(quoted?.bytes)).toBe(
      'line one \r\nna\xc3\xafve joined\r\n\x00\xff\r\nlast line without a break',
    )
    const letters = Array.from({ length: 255 }, (_, at) => at + 1).filter(
      (at) => at !== 10 && at !== 13,
    )
    const run = String.fromCharCode(...letters)
    expect(latin1(eight?.bytes)).toBe(`first\r\nsecond\nthird\r\n\r\n${run}${run}`)
  })

  test('an attachment that is the whole message keeps its last line break', async () => {
    const [only] = await attachments(
      message('Content-Type: text/csv; name=a.csv', '', 'a,b', '1,2', ''),
    )
    expect(latin1(only?.bytes)).toBe('a,b\r\n1,2\r\n')
  })

  test('base64 with padded lines, rubbish and a cut end gives what is there', async () => {
    const [only] = await attachments(
      message(
        'Content-Type: a/b',
        'Content-Transfer-Encoding: BASE64 (sic)',
        '',
        'YQ==',
        ' Y*mM=',
        'ZGVm!Z',
      ),
    )
    expect(latin1(only?.bytes)).toBe('abcdef')
  })

  test('a nested message is attached whole, named after its subject', async () => {
    const [nested, ...others] = await attachments(fixture('nested-rfc822.eml'))
    expect(others).toEqual([])
    expect(nested?.info).toMatchObject({
      filename: 'Quarterly_report €.eml',
      contentType: 'message/rfc822',
    })
    expect((await digestMessage(nested?.bytes ?? new Uint8Array())).attachments).toEqual([
      { filename: 'inner.pdf', contentType: 'application/pdf', size: 5, inline: false },
    ])
  })
})

describe('a list that is older than the way attachments are found now', () => {
  const part = (head: string, body: string) => `--b\r\n${head}\r\n\r\n${body}`
  const file = (contentType: string, filename: string, size: number) => ({
    contentType,
    filename,
    size,
    inline: false,
  })
  const source = message(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    part('Content-Type: text/plain', 'begin 644 a.txt\r\n#86)C\r\n`\r\nend'),
    part('Content-Type: a/b; name=a.pdf', 'first'),
    part('Content-Type: a/b; name=a.pdf', 'again'),
    part('Content-Type: a/b', 'third'),
    part('Content-Type: c/d', 'fourth'),
    '--b--',
  )
  const a = file('a/b', 'a.pdf', 5)

  test('another file that is found before it is not handed out in its place', async () => {
    const listed = [a, a, file('a/b', 'attachment-3.bin', 5), file('c/d', 'attachment-4.bin', 6)]
    const read = await Promise.all(listed.map((_, index) => readAttachment(source, listed, index)))
    expect(read.map((attachment) => latin1(attachment?.bytes))).toEqual([
      'first',
      'again',
      'third',
      'fourth',
    ])
    expect(read.map((attachment) => attachment?.info)).toEqual(listed)
  })

  test('one that no attachment is like is not there', async () => {
    expect(await readAttachment(source, [file('x/y', 'a.pdf', 5)], 0)).toBeUndefined()
    expect(await readAttachment(source, [a], 1)).toBeUndefined()
  })

  test('in a list of the same length, place tells where nothing else does', async () => {
    const { attachments: listed } = await digestMessage(source)
    const other = listed.with(1, file('a/b', 'b.pdf', 7))
    expect(latin1((await readAttachment(source, other, 1))?.bytes)).toBe('first')
  })
})

describe('what is listed', () => {
  test.each([
    ['calendar.eml', ['attachment-1.ics']],
    ['tnef.eml', ['winmail.dat']],
    ['rfc2231-names.eml', ['€ ratesä.xlsx', 'Béta.bin', '_.._etc_passwd', 'attachment-4.pdf']],
  ])('%s', async (name, filenames) => {
    const listed = (await attachments(fixture(name))).map((attachment) => attachment?.info.filename)
    expect(listed).toEqual(filenames)
  })

  test.each([
    ['text/calendar; method=REQUEST', 'attachment-1.ics'],
    ['application/ms-tnef', 'winmail.dat'],
    ['application/vnd.ms-tnef', 'winmail.dat'],
    ['application/vnd.ms-tnef; name=other.dat', 'other.dat'],
  ])('a message that is nothing but %s', async (type, filename) => {
    const [only, ...others] = await attachments(message(`Content-Type: ${type}`, '', '\x78\x9f>"'))
    expect(others).toEqual([])
    expect(only?.info.filename).toBe(filename)
    expect(latin1(only?.bytes)).toBe('\x78\x9f>"')
  })

  test('pictures of the HTML are inline, and a Content-ID loses its brackets', async () => {
    const source = message(
      'Content-Type: multipart/related; boundary=b',
      '',
      '--b\r\nContent-Type: text/html\r\n\r\n<img src="cid:logo@x">',
      '--b\r\nContent-Type: image/png\r\nContent-ID: <logo@x>\r\n\r\npng',
      '--b--',
    )
    expect((await digestMessage(source)).attachments).toEqual([
      {
        filename: 'attachment-1.png',
        contentType: 'image/png',
        size: 3,
        inline: true,
        contentId: 'logo@x',
      },
    ])
  })

  test('a text part with a name after the body is an attachment, the named body itself is not', async () => {
    const source = message(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b\r\nContent-Type: text/plain; name=body.txt\r\n\r\nBody',
      '--b\r\nContent-Type: text/plain; name=notes.txt\r\n\r\nNotes',
      '--b--',
    )
    const { text, attachments: listed } = await digestMessage(source)
    expect(text).toBe('Body')
    expect(listed.map(({ filename }) => filename)).toEqual(['notes.txt'])
  })

  test('a name in undeclared bytes is in the character set of the message', async () => {
    const source = message(
      'Content-Type: multipart/mixed; charset=euc-kr; boundary=b',
      '',
      '--b\r\nContent-Type: a/b; name="\xbe\xc8\xb3\xe7.pdf"\r\n\r\nx',
      '--b--',
    )
    expect((await digestMessage(source)).attachments[0]?.filename).toBe('안녕.pdf')
  })

  test('a name that lies about direction or length is made safe', async () => {
    const source = message(
      `Content-Type: a/b; name="=?utf-8?Q?invoice=E2=80=AEfdp?=.exe"`,
      `Content-Disposition: attachment`,
      '',
      'x',
    )
    expect((await digestMessage(source)).attachments[0]?.filename).toBe('invoicefdp.exe')
    const long = message(`Content-Type: a/b; name="${'x'.repeat(5000)}.pdf"`, '', 'x')
    expect((await digestMessage(long)).attachments[0]?.filename).toBe(`${'x'.repeat(196)}.pdf`)
  })
})
