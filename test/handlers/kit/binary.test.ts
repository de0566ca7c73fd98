import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { attachmentResponse, contentDisposition } from '../../../handlers/kit/binary.ts'

test.each([
  ['plan.pdf', 'attachment; filename="plan.pdf"'],
  ['my plan (1).pdf', 'attachment; filename="my plan (1).pdf"'],
  ['a"b%20c.txt', `attachment; filename="a_b_20c.txt"; filename*=UTF-8''a%22b%2520c.txt`],
  ['Grüße.txt', `attachment; filename="Gr__e.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt`],
  ["it's(*)!.txt", `attachment; filename="it's(*)!.txt"`],
  ["ü'(*)!", `attachment; filename="_'(*)!"; filename*=UTF-8''%C3%BC%27%28%2A%29%21`],
  ['../../etc/passwd', 'attachment; filename=".._.._etc_passwd"'],
  ['a\r\nX-Evil: 1', 'attachment; filename="a__X-Evil: 1"'],
  ['lone \uD800', `attachment; filename="lone _"; filename*=UTF-8''lone%20%EF%BF%BD`],
])('%j is offered for saving as %s', (filename, header) => {
  expect(contentDisposition(filename)).toBe(header)
})

const typeOf = async (contentType: string) => {
  const app = new Hono().get('/', (c) =>
    attachmentResponse(
      c,
      { size: 1, stream: new Blob(['x']).stream() },
      { contentType, filename: 'x' },
    ),
  )
  return (await app.request('/')).headers.get('Content-Type')
}

describe('the media type', () => {
  test.each(['image/png', 'application/vnd.a.b+json'])('%s stays', async (type) => {
    expect(await typeOf(type)).toBe(type)
  })

  test.each(['', 'png', 'text/html\r\nX-Evil: 1', 'text/html; charset=utf-7', 'a/b/c'])(
    '%j becomes application/octet-stream',
    async (type) => {
      expect(await typeOf(type)).toBe('application/octet-stream')
    },
  )
})
