import { describe, expect, test } from 'vitest'

import { digestMessage } from '../../../domain/mime/digest-message.ts'
import { messageBodies } from '../../../domain/mime/message-bodies.ts'
import { fixture, message } from '../../support/mime-fixtures.ts'

const digest = (name: string) => digestMessage(fixture(name))

describe('text', () => {
  test.each([
    ['lf-only.eml', 'Unix line ends', 'One\nTwo\n'],
    ['cr-only.eml', 'Old Macintosh', 'One\nTwo\n'],
    ['utf-7.eml', 'Grüße', 'Grüße, 1 + 1 and 😀 \n'],
    ['iso-2022-jp.eml', '会議', '明日の会議について\n'],
    ['windows-1252-undeclared.eml', 'Café menu', '“Crème brûlée” – 5 €\n'],
    [
      'format-flowed.eml',
      'Flowed',
      'This paragraph goes on and on and ends here.\n>not a quote\n-- \nAda\n',
    ],
    ['no-blank-line.eml', 'Where is the blank line?', 'Hello there,\nthis is already the body.\n'],
    ['blank-line-of-space.eml', 'Where the header ends', ' \nHello,\n \nAda\n\nBye\n'],
    ['koi8-r-undeclared.eml', 'Привет', 'Завтра в пять'],
    ['utf-8-cut.eml', 'Grüße aus Köln\uFFFD', 'Schöne Grüße\uFFFD'],
    ['word-half-encoded.eml', 'Die Frösche für $& now', 'text\n'],
    ['split-words.eml', 'Grüß Gött plain €', 'text\n'],
    ['split-words-padded.eml', 'Grüß Gott', 'text\n'],
  ])('%s', async (name, subject, text) => {
    expect(await digest(name)).toMatchObject({ subject, text })
  })

  test('HTML becomes text only where there is no text/plain, and stays as received', async () => {
    const html = '<p>Hello <a href="https://example.com/x">you</a></p>\r\n<script>no()</script>'
    const source = message('Content-Type: text/html', '', html)
    expect(await digestMessage(source)).toMatchObject({ text: 'Hello you', hasHtml: true })
    expect(await messageBodies(source)).toEqual({ text: 'Hello you', html })
  })

  test('HTML in UTF-7 reads the same in the body as in the text made of it', async () => {
    const source = message('Content-Type: text/html; charset=utf-7', '', '<p>+AOk-t+AOk-</p>')
    expect(await messageBodies(source)).toEqual({ text: 'été', html: '<p>été</p>' })
  })

  test.each([
    ['text/plain; charset=utf8mb4', 'Za\xc5\xbc\xc3\xb3\xc5\x82\xc4\x87', 'Zażółć'],
    ['text/html', '<meta charset=utf8mb4>Za\xc5\xbc\xc3\xb3\xc5\x82\xc4\x87', 'Zażółć'],
    ['text/plain; charset=no-such-set', 'caf\xe9', 'café'],
    ['text/plain; charset=cp-932', '\x8e\x71\x8b\x9f', '子供'],
    ['text/plain; charset=cp50220', '\x1b$B;R6!\x1b(B', '子供'],
  ])('%s in a set that few or none know', async (contentType, written, text) => {
    const source = message(`Content-Type: ${contentType}`, '', written)
    expect((await digestMessage(source)).text).toBe(text)
  })

  test('an empty text/plain beside HTML says nothing, so the HTML speaks', async () => {
    const source = message(
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b\r\nContent-Type: text/plain\r\n\r\n ',
      '--b\r\nContent-Type: text/html\r\n\r\n<b>Hi</b>',
      '--b--',
    )
    expect((await digestMessage(source)).text).toBe('Hi')
  })

  test('a message without any text has none', async () => {
    const source = message(
      'Content-Type: image/png',
      'Content-Transfer-Encoding: base64',
      '',
      'AAAA',
    )
    const { text, snippet, hasHtml, attachments } = await digestMessage(source)
    expect({ text, snippet, hasHtml }).toEqual({ text: undefined, snippet: '', hasHtml: false })
    expect(attachments).toHaveLength(1)
  })

  test('a multipart whose boundary never comes is read as text', async () => {
    const source = message('Content-Type: multipart/mixed; boundary=never', '', 'All there is')
    expect((await digestMessage(source)).text).toBe('All there is')
  })
})

describe('headers', () => {
  test('From keeps the address behind a stray comma; lists, groups and quotes are read', async () => {
    expect(await digest('from-stray-comma.eml')).toMatchObject({
      from: [{ name: 'Example Bank, Security', address: 'alerts@example.com' }],
      to: [
        { name: 'Doe, Jane', address: 'jane@example.org' },
        { address: 'a@example.org' },
        { name: 'B', address: 'b@example.org' },
      ],
      replyTo: [{ name: 'unclosed, quote', address: 'reply@example.com' }],
    })
  })

  test('every From mailbox is kept', async () => {
    expect((await digest('several-from.eml')).from).toEqual([
      { name: 'Ada', address: 'ada@example.com' },
      { name: 'Bo Å, jr', address: 'bo@example.org' },
    ])
  })

  test('Message-IDs lose their brackets; references are the ancestors, oldest first and once', async () => {
    const source = message(
      'Message-ID: <new@example.com>',
      'In-Reply-To: <b@example.com> (your message)',
      'References: <a@example.com>',
      ' <c@example.com> <a@example.com>',
      '',
    )
    expect(await digestMessage(source)).toMatchObject({
      messageIdHeader: 'new@example.com',
      inReplyToHeader: 'b@example.com',
      references: ['a@example.com', 'c@example.com', 'b@example.com'],
    })
  })

  test('the header block is kept exactly as received', async () => {
    const { headersRaw } = await digestMessage(
      message('From ada Mon Jan', 'subject :  A', '\tB', 'X:\xe9', '', 'x: y'),
    )
    expect(headersRaw).toEqual(
      new Uint8Array(
        Buffer.from('From ada Mon Jan\r\nsubject :  A\r\n\tB\r\nX:\xe9\r\n', 'latin1'),
      ),
    )
  })

  test('ten thousand header lines are read', async () => {
    const { from, text } = await digest('ten-thousand-headers.eml')
    expect(from).toEqual([{ name: 'Ada', address: 'ada@example.com' }])
    expect(text).toBe('body\n')
  })

  test('a link in the HTML alone is one', async () => {
    const html = (body: string) =>
      message(
        'Content-Type: multipart/alternative; boundary=a',
        '',
        '--a',
        '',
        'here',
        '--a',
        'Content-Type: text/html',
        '',
        body,
        '--a--',
      )
    expect(await digestMessage(html('<a href="/x">here</a>'))).toMatchObject({ hasLink: true })
    expect(await digestMessage(html('<p>here</p>'))).toMatchObject({ hasLink: false })
  })

  test('index text is folded, and labels of an address are words', async () => {
    const source = message(
      'From: =?utf-8?Q?Zo=C3=AB?= <Zoe.Q@Mail.Example.COM>',
      'Subject: Stra\xdfe',
      '',
      '\xc0B',
    )
    expect((await digestMessage(source)).indexText).toEqual({
      subject: 'strasse',
      sender: 'zoe zoe q mail example com',
      recipients: '',
      cc: '',
      bcc: '',
      filenames: '',
      body: 'ab',
    })
  })
})
