import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { harness, type Harness } from '../../support/harness.ts'

const SOURCE = [
  'From: Ada <ada@example.org>',
  'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
  'Received: one',
  'Received: two',
  'X-Folded: a',
  ' b',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: multipart/alternative; boundary=y',
  '',
  '--y',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'New words.',
  '',
  'On Monday, Bob wrote:',
  '> Old words.',
  '--y',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p onclick="evil()">New words.</p>',
  '--y--',
  '--x',
  'Content-Type: text/plain; name="r\u0303e \u202Eport.txt"',
  'Content-Disposition: attachment',
  'Content-Transfer-Encoding: base64',
  '',
  'AAEC/w==',
  '--x--',
  '',
].join('\r\n')

let h: Harness
let id = 0
let sourceless = 0
let bare = 0
let tooLarge = 0

beforeAll(async () => {
  h = await harness()
  const inbox = await h.make.inbox((await h.make.account()).id)
  id = (await h.make.message(inbox, { source: SOURCE })).id
  const other = SOURCE.replace('Ada', 'Eve')
  sourceless = (await h.make.message(inbox, { source: other, keepSource: false })).id
  bare = (await h.make.message(inbox, { text: null })).id
  const huge = SOURCE.replace('Ada', 'Hal')
  tooLarge = (await h.make.message(inbox, { source: huge, content: { size: 10 ** 9 } })).id
})
afterAll(() => h.close())

const read = async (path: string) => {
  const answer = await h.get(`/api/v1/messages/${path}`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Record<string, object>
}

describe('200', () => {
  test('the text by default, and the attachments', async () => {
    const message = await read(`${id}`)
    expect(message['body']).toEqual({ text: expect.stringContaining('New words.') })
    expect(message).not.toHaveProperty('headers')
    expect(message['attachments']).toMatchObject([
      { index: 0, content_type: 'text/plain', size: 4, inline: false },
    ])
  })

  test('body=html answers the HTML as received, body=both both', async () => {
    const html = expect.stringContaining('<p onclick="evil()">')
    expect((await read(`${id}?body=html`))['body']).toEqual({ html })
    expect((await read(`${id}?body=both`))['body']).toEqual({ text: expect.any(String), html })
  })

  test('body=none answers none, body=reply leaves the quoted history out', async () => {
    expect(await read(`${id}?body=none`)).not.toHaveProperty('body')
    const { text } = (await read(`${id}?body=reply`))['body'] as { text: string }
    expect(text).toContain('New words.')
    expect(text).not.toContain('Old words.')
  })

  test('a message without text answers an empty body', async () => {
    expect((await read(`${bare}`))['body']).toEqual({})
  })

  test('headers=raw is the block as received, headers=parsed a map of lists', async () => {
    const { headers } = await read(`${id}?headers=both`)
    expect(headers).toEqual({
      raw: expect.stringContaining('Received: one\r\nReceived: two\r\nX-Folded: a\r\n b\r\n'),
      parsed: expect.objectContaining({
        subject: ['Grüße'],
        received: ['one', 'two'],
        'x-folded': ['a b'],
      }),
    })
    expect(Object.keys((await read(`${id}?headers=raw`))['headers'] ?? {})).toEqual(['raw'])
    expect(Object.keys((await read(`${id}?headers=parsed`))['headers'] ?? {})).toEqual(['parsed'])
  })

  test('without its source the text is still answered, the HTML becomes body_error', async () => {
    expect(await read(`${sourceless}`)).toMatchObject({ body: { text: expect.any(String) } })
    const html = await read(`${sourceless}?body=html`)
    expect(html).toMatchObject({ body_error: expect.any(String) })
    expect(html).not.toHaveProperty('body')
    expect(await read(`${sourceless}?body=both`)).toMatchObject({
      body: { text: expect.any(String) },
      body_error: expect.any(String),
    })
  })

  test('HTML that is too long becomes body_error, and the text is answered beside it', async () => {
    const inbox = await h.make.inbox((await h.make.account()).id)
    const ofLength = async (length: number) => {
      const source = SOURCE.replace('<p onclick="evil()">', 'x'.repeat(length))
      return (await h.make.message(inbox, { source })).id
    }
    const [long, tooLong] = [await ofLength(2_000_000), await ofLength(2 * 1024 * 1024)]
    expect(await read(`${long}?body=both`)).not.toHaveProperty('body_error')
    const error = { body_error: expect.stringContaining('too long') }
    expect(await read(`${tooLong}?body=both`)).toMatchObject({
      body: { text: expect.stringContaining('New words.') },
      ...error,
    })
    const html = await read(`${tooLong}?body=html`)
    expect(html).toMatchObject(error)
    expect(html).not.toHaveProperty('body')
    expect(await read(`${tooLong}`)).not.toHaveProperty('body_error')
    const raw = await h.get(`/api/v1/messages/${tooLong}/raw`)
    expect((await raw.arrayBuffer()).byteLength).toBeGreaterThan(2 * 1024 * 1024)
  })

  test('/headers answers both forms', async () => {
    expect(await read(`${id}/headers`)).toEqual({
      raw: expect.stringContaining('X-Folded'),
      parsed: expect.objectContaining({ 'x-folded': ['a b'] }),
    })
  })

  test('/raw answers the very bytes', async () => {
    const answer = await h.get(`/api/v1/messages/${id}/raw`)
    expect(answer.headers.get('Content-Type')).toBe('message/rfc822')
    expect(await answer.text()).toBe(SOURCE)
  })

  test('an attachment is bytes to be saved, never to be shown', async () => {
    const answer = await h.get(`/api/v1/messages/${id}/attachments/0`)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array([0, 1, 2, 255]))
    expect(answer.headers.get('Content-Type')).toBe('text/plain')
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="[ -~]+"; filename\*=UTF-8''[\w.%~-]+$/,
    )
  })
})

describe('400', () => {
  test.each(['body=xml', 'body=', 'headers=all', 'headers='])('%s', async (query) => {
    expect((await h.get(`/api/v1/messages/${id}?${query}`)).status).toBe(400)
  })
})

describe('404', () => {
  test.each(['4711', '0', '-1', 'abc', '1.5', '01', '9007199254740993', '1e3', '%00'])(
    'message %s',
    async (wrong) => {
      for (const rest of ['', '/headers', '/raw', '/attachments/0']) {
        const answer = await h.get(`/api/v1/messages/${wrong}${rest}`)
        expect(answer.status).toBe(404)
        expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
      }
    },
  )

  test.each(['1', '-1', 'x', '00', '99999999999'])('attachment %s', async (n) => {
    expect((await h.get(`/api/v1/messages/${id}/attachments/${n}`)).status).toBe(404)
  })
})

describe('502', () => {
  test.each(['raw', 'attachments/0'])('/%s without the source', async (rest) => {
    const answer = await h.get(`/api/v1/messages/${sourceless}/${rest}`)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'upstream' } })
  })

  test('/raw of a message that is kept by its header alone says that it is too large', async () => {
    const answer = await h.get(`/api/v1/messages/${tooLarge}/raw`)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({
      error: { code: 'upstream', message: expect.stringContaining('too large') },
    })
  })

  test('an attachment that the parser could not read is not called missing', async () => {
    const unreadable = () => Promise.reject(new Error('The thread ended.'))
    const sourceReader = { bodies: unreadable, attachment: unreadable, whole: unreadable }
    await using broken = await harness({ ports: { sourceReader } })
    const inbox = await broken.make.inbox((await broken.make.account()).id)
    const message = await broken.make.message(inbox, { source: SOURCE })
    const attachment = await broken.get(`/api/v1/messages/${message.id}/attachments/0`)
    expect(attachment.status).toBe(502)
    const html = await broken.get(`/api/v1/messages/${message.id}?body=html`)
    expect(await html.json()).toMatchObject({ body_error: expect.any(String) })
    expect(broken.logger.lines).toContainEqual(
      expect.objectContaining({ level: 'error', cause: new Error('The thread ended.') }),
    )
  })

  test('an attachment that was listed before uuencoded files were is the one that is handed out', async () => {
    const source = [
      'Content-Type: multipart/mixed; boundary=x\r\n',
      '--x\r\nContent-Type: text/plain\r\n\r\nbegin 644 hello.txt\r\n#86)C\r\n`\r\nend',
      '--x\r\nContent-Type: application/pdf; name=contract.pdf\r\n\r\nPDFPDF',
      '--x--',
    ].join('\r\n')
    const listed = {
      filename: 'contract.pdf',
      contentType: 'application/pdf',
      size: 6,
      inline: false,
    }
    const inbox = await h.make.inbox((await h.make.account()).id)
    const message = await h.make.message(inbox, { source, content: { attachments: [listed] } })
    const answer = await h.get(`/api/v1/messages/${message.id}/attachments/0`)
    expect(answer.headers.get('content-disposition')).toContain('contract.pdf')
    expect(await answer.text()).toBe('PDFPDF')
  })

  test('an attachment that is listed but not in the source is not called missing either', async () => {
    const source = SOURCE.replace('Ada', 'Ivy')
    const listed = { filename: 'a.txt', contentType: 'text/plain', size: 1, inline: false }
    const inbox = await h.make.inbox((await h.make.account()).id)
    const message = await h.make.message(inbox, {
      source,
      content: { attachments: [listed, listed] },
    })
    const answer = await h.get(`/api/v1/messages/${message.id}/attachments/1`)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'upstream' } })
    expect((await h.get(`/api/v1/messages/${message.id}/attachments/2`)).status).toBe(404)
  })
})
