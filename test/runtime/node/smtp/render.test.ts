import { domainToUnicode } from 'node:url'
import * as fc from 'fast-check'
import { type AddressObject, simpleParser } from 'mailparser'
import { expect, test } from 'vitest'
import { render } from '../../../../runtime/node/smtp/render.ts'
import { anyAttachment, anyContent, anyLines } from '../../../support/any-outgoing.ts'
import { attachmentOf, bytesOf, outgoing } from '../../../support/submitting.ts'

const RUNS = process.env['SVC_TEST_LONG'] === '1' ? 3_000 : 200

const headerOf = (source: Buffer) => source.toString().split('\r\n\r\n')[0]?.split('\r\n') ?? []

/** What readers make of white space and of what is no character. */
const plain = (text = '') => text.toWellFormed().replaceAll(/\r\n?/g, '\n')

test('whatever is sent, another parser reads every part of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyContent,
      fc.option(anyLines, { nil: undefined }),
      fc.array(anyAttachment, { maxLength: 3 }),
      async (said, html, attached) => {
        const message = { ...said, bcc: [{ address: 'hidden@example.net' }], ...(html && { html }) }
        const parts = outgoing(
          message,
          attached.map((each) => each.attachment),
        )
        const source = await bytesOf(render(parts))
        expect(await bytesOf(render(parts))).toEqual(source)
        expect((await render(parts).traits?.())?.size).toBe(source.length)
        expectTransportable(source)
        expect(headerOf(source).join('\n')).not.toMatch(/^(bcc|x-mailer|x-evil|user-agent)/im)
        expect(source.includes('hidden@example.net')).toBe(false)

        const mail = await simpleParser(source)
        expect(plain(mail.subject)).toBe(plain(said.subject))
        for (const [field, sent] of [
          [mail.from, [said.from]],
          [mail.to, said.to],
          [mail.cc, said.cc],
          [mail.replyTo, said.replyTo],
        ] as const)
          expect(read(field)).toEqual(sent.map(wanted))
        expect(mail.messageId).toBe('<5f3c.1@example.test>')
        expect(mail.date).toEqual(new Date(parts.dateMs))
        expect(plain(mail.text).trimEnd()).toBe(plain(said.text).trimEnd())
        expect(mail.attachments.map((part) => part.content)).toEqual(
          attached.map((each) => Buffer.from(each.bytes)),
        )
        expect(mail.attachments.map((part) => part.filename)).toEqual(
          attached.map((each) => plain(each.attachment.filename)),
        )
      },
    ),
    { numRuns: RUNS },
  )
})

type Field = AddressObject | AddressObject[] | undefined

const read = (field: Field) =>
  [field ?? []]
    .flat()
    .flatMap(({ value }) => value)
    .filter(({ address }) => address)
    .map(({ name, address = '' }) => ({ name: plain(name), address: unicode(address) }))

const wanted = ({ name = '', address }: { name?: string; address: string }) => ({
  name: plain(name),
  address: unicode(address),
})

const unicode = (address: string) => {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${domain.startsWith('[') ? domain : domainToUnicode(domain)}`
}

function expectTransportable(source: Buffer): void {
  const text = source.toString('latin1')
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/)
  expect(text.endsWith('\r\n')).toBe(true)
  const longest = Math.max(...text.split('\r\n').map((line) => line.length))
  expect(longest).toBeLessThanOrEqual(998)
}

const body = async (...args: Parameters<typeof outgoing>) => {
  const source = await bytesOf(render(outgoing(...args)))
  return source.toString('latin1')
}

test('a message of plain text is as plain as it can be', async () => {
  expect(await body({ text: 'Hi,\n\nsee you.\n', replyTo: [{ address: 'r@example.test' }] })).toBe(
    [
      'From: ann@example.test',
      'To: bob@example.test',
      'Reply-To: r@example.test',
      'Subject: Hello',
      'Date: Sat, 21 Nov 2026 12:00:00 +0000',
      'Message-ID: <5f3c.1@example.test>',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
      '',
      'Hi,',
      '',
      'see you.',
      '',
    ].join('\r\n'),
  )
})

test('html has the text beside it, and attachments come after both', async () => {
  const file = attachmentOf({ filename: 'a.txt', contentType: 'text/plain' }, Buffer.from('a\nb'))
  const mail = await body({ text: 'Hi', html: '<b>Hi</b>' }, [file])
  const types = mail.match(/(?<=\r\nContent-Type: )[\w/]+/g)
  expect(types).toEqual([
    'multipart/mixed',
    'multipart/alternative',
    'text/plain',
    'text/html',
    'text/plain',
  ])
  expect(mail).toContain('\r\n\r\nYQpi\r\n')
})

test('a domain is in ASCII for all servers, and in Unicode where only SMTPUTF8 will do', async () => {
  const to = [{ name: 'Jörg', address: 'j@bücher.example' }]
  const plainly = render(outgoing({ to }))
  expect(headerOf(await bytesOf(plainly))).toContain(
    'To: =?UTF-8?Q?J=C3=B6rg?= <j@xn--bcher-kva.example>',
  )
  expect(await plainly.traits?.()).toMatchObject({ hasUtf8Header: false })

  const utf8 = render(outgoing({ to: [...to, { address: 'jörg@xn--bcher-kva.example' }] }))
  expect(headerOf(await bytesOf(utf8))).toContain(
    'To: =?UTF-8?Q?J=C3=B6rg?= <j@xn--bcher-kva.example>, jörg@bücher.example',
  )
  expect(await utf8.traits?.()).toMatchObject({ hasUtf8Header: true })
})

test('a long chain of references is folded, and what is no Message-ID is left out', async () => {
  const good = Array.from({ length: 100 }, (_, index) => `${'x'.repeat(40)}.${index}@example.test`)
  const bad = ['a b@c', 'a>\r\nX: y', 'ü@example.test', '', 'y'.repeat(1_000)]
  const source = await bytesOf(
    render(outgoing({ references: [...bad, ...good], inReplyToHeader: good.at(-1) ?? '' })),
  )
  const mail = await simpleParser(source)
  expect(mail.references).toEqual(good.map((id) => `<${id}>`))
  expect(mail.inReplyTo).toBe(`<${good.at(-1)}>`)
  expect(Math.max(...headerOf(source).map((line) => line.length))).toBeLessThan(80)
})

test('further fields stand in the header, and none can be one of ours', async () => {
  const headers = [
    { name: 'Auto-Submitted', value: 'auto-forwarded' },
    { name: 'X-Svc-Forwarded-By', value: 'ann@example.test\r\nBcc: eve@example.test' },
  ]
  const source = await bytesOf(render(outgoing({ headers })))
  expect(headerOf(source)).toContain('Auto-Submitted: auto-forwarded')
  expect(headerOf(source).some((line) => /^bcc/i.test(line))).toBe(false)
  for (const name of ['Bcc', 'content-type', 'X Y', 'X:', '', 'Über', 'A\r\nB'])
    await expect(body({ headers: [{ name, value: 'x' }] })).rejects.toThrow('further header field')
})

test.each([
  'a\r\nRCPT TO:<b@c>@d',
  'a@b>\r\n',
  'no at',
  'no-at',
  '@b',
  'a@',
  'a@b\0',
  'a@b, c@d\u0085',
  'a@b c',
])('%j is no address', async (address) => {
  await expect(body({ to: [{ address }] })).rejects.toThrow('not an address')
})

test('without To and Cc nobody is named, and nobody can be', async () => {
  const bcc = [{ address: 'eve@example.test' }]
  const mail = await body({ to: [], bcc })
  expect(mail).toContain('\r\nTo: undisclosed-recipients:;\r\n')
  expect(mail).not.toContain('eve')
})

test('a picture that the HTML text shows is a part of it, and beside a text without HTML a file', async () => {
  const picture = { filename: 'logo.png', contentType: 'image/png' }
  const logo = { ...attachmentOf(picture, Buffer.from([1, 2, 3])), inlineId: 'logo@1' }
  const file = attachmentOf(
    { filename: 'file.bin', contentType: 'application/x-odd' },
    Buffer.from([4]),
  )
  const html = '<p><img src="cid:logo@1"></p>'
  const source = await bytesOf(render(outgoing({ html }, [file, logo])))
  expect((await render(outgoing({ html }, [file, logo])).traits?.())?.size).toBe(source.length)
  const mail = await simpleParser(source, { keepCidLinks: true })
  expect(mail.html).toContain('cid:logo@1')
  expect(mail.attachments).toMatchObject([
    { filename: 'logo.png', cid: 'logo@1', related: true, contentDisposition: 'inline' },
    { filename: 'file.bin', contentDisposition: 'attachment' },
  ])
  const plainMail = await simpleParser(await bytesOf(render(outgoing({}, [logo]))))
  expect(plainMail.attachments).toMatchObject([{ contentDisposition: 'attachment' }])
})
