import { describe, expect, test } from 'vitest'
import { readAttachments } from '../../../domain/submission/attachment-data.ts'
import { harness } from '../../support/harness.ts'

const ODD = {
  'bare line feeds': 'Subject: x\nFrom: a@example.org\n\nHello\nyou\n',
  'no final newline': 'Subject: x\r\n\r\nno end',
  '8-bit':
    'Subject: \xe9\xff x\r\nContent-Type: text/plain; charset=latin1\r\n\r\n\xfc\xf6\x80\r\n',
  'nothing but a header': 'Subject: x\r\n',
  'bare carriage returns and NUL': 'Subject: x\r\n\r\na\rb\0c\r\r\n.\r\n..\r\nFrom x\r\n',
}

describe.each(Object.entries(ODD))('%s', (_, text) => {
  test('201: a draft with the original attached byte for byte', async () => {
    await using h = await harness()
    const account = await h.make.account({ name: 'Work' })
    const inbox = await h.make.inbox(account.id)
    const bytes = Buffer.from(text, 'latin1')
    const sourceHash = await h.sourceStore.put(bytes)
    const content = { sourceHash, size: bytes.length, subject: '  The "plan": a/b\u202E ' }
    const { id } = await h.make.message(inbox, { content })
    const answer = await h.send('POST', `/api/v1/messages/${id}/forward-eml`)
    const draft = (await answer.json()) as { id: number }
    expect({ status: answer.status, draft }).toMatchObject({
      status: 201,
      draft: {
        account: 'Work',
        kind: 'forward',
        in_reply_to: id,
        to: '',
        subject: expect.stringMatching(/^Fwd: The "plan": a\/b/),
        attachments: [
          { filename: 'The plan a b.eml', content_type: 'message/rfc822', size: bytes.length },
        ],
      },
    })
    const [attached] = await readAttachments(h.runtime, { draftId: draft.id })
    const parts: Uint8Array[] = []
    for await (const part of attached?.content() ?? []) parts.push(part)
    expect(Buffer.concat(parts)).toEqual(bytes)
  })
})

test('404: an unknown message', async () => {
  await using h = await harness()
  const answer = await h.send('POST', '/api/v1/messages/7/forward-eml')
  expect(answer.status).toBe(404)
})

test('502: its source cannot be had', async () => {
  await using h = await harness()
  const inbox = await h.make.inbox((await h.make.account()).id)
  const { id } = await h.make.message(inbox, { keepSource: false })
  const answer = await h.send('POST', `/api/v1/messages/${id}/forward-eml`)
  expect(answer.status).toBe(502)
  expect(await answer.json()).toMatchObject({ error: { code: 'upstream' } })
  expect(await (await h.get('/api/v1/drafts')).json()).toMatchObject({ data: [] })
})

test('400: it is too large to be sent', async () => {
  await using h = await harness()
  const inbox = await h.make.inbox((await h.make.account()).id)
  const bytes = Buffer.alloc(26 * 1024 * 1024, 'x')
  const sourceHash = await h.sourceStore.put(bytes)
  const { id } = await h.make.message(inbox, { content: { sourceHash, size: bytes.length } })
  const answer = await h.send('POST', `/api/v1/messages/${id}/forward-eml`)
  expect(answer.status).toBe(400)
  expect(await (await h.get('/api/v1/drafts')).json()).toMatchObject({ data: [] })
})
