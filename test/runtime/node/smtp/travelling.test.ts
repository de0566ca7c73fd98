import { simpleParser } from 'mailparser'
import { expect, test } from 'vitest'
import { render } from '../../../../runtime/node/smtp/render.ts'
import { attachmentOf, bytesOf, outgoing } from '../../../support/submitting.ts'

const attached = (bytes: Buffer, blockBytes?: number) => {
  const kind = { filename: 'Hello.eml', contentType: 'message/rfc822' }
  return render(outgoing({}, [attachmentOf(kind, bytes, blockBytes)]))
}

test.each<[string, Buffer, '7bit' | '8bit' | 'base64']>([
  ['in ASCII', Buffer.from('Subject: a\r\n\r\nHi\r\n'), '7bit'],
  ['without an end of line at its end', Buffer.from('Subject: a\r\n\r\nHi'), '7bit'],
  ['with an empty line at its end', Buffer.from('Subject: a\r\n\r\nHi\r\n\r\n'), '7bit'],
  [
    'with dots and what looks like a boundary',
    Buffer.from('A: b\r\n\r\n.\r\n..\r\n--=_-x\r\n'),
    '7bit',
  ],
  ['with lines of 998 octets', Buffer.from(`A: b\r\n\r\n${'x'.repeat(998)}\r\n`), '7bit'],
  ['in UTF-8', Buffer.from('Subject: ä\r\n\r\nGrüße\r\n'), '8bit'],
  ['in Latin-1', Buffer.from('Subject: a\r\n\r\nGr\u00fc\u00dfe\r\n', 'latin1'), '8bit'],
  ['with bare LF', Buffer.from('Subject: a\n\nHi\n'), 'base64'],
  ['with one bare LF', Buffer.from('A: b\r\n\r\nHi\nyou\r\n'), 'base64'],
  ['with a bare CR', Buffer.from('A: b\r\n\r\nHi\ryou\r\n'), 'base64'],
  ['that ends in CR', Buffer.from('A: b\r\n\r\nHi\r'), 'base64'],
  ['with NUL', Buffer.from('A: b\r\n\r\nHi\0\r\n'), 'base64'],
  ['with a line of 999 octets', Buffer.from(`A: b\r\n\r\n${'x'.repeat(999)}\r\n`), 'base64'],
  ['of nothing', Buffer.alloc(0), '7bit'],
])('a message %s arrives byte for byte', async (_name, bytes, encoding) => {
  for (const blockBytes of [1, 7, 100_000]) {
    const source = await bytesOf(attached(bytes, blockBytes))
    const { attachments } = await simpleParser(source)
    const isEncoded = encoding === 'base64'
    const type = isEncoded ? 'application/octet-stream' : 'message/rfc822'
    expect(source.toString('latin1')).toContain(`\r\nContent-Type: ${type}\r\n`)
    expect(attachments.map(({ filename }) => filename)).toEqual(['Hello.eml'])
    expect(attachments[0]?.content).toEqual(bytes)
    if (!isEncoded) expect(source.includes(bytes)).toBe(true)
    const said = source.toString('latin1').match(/(?<=\r\nContent-Transfer-Encoding: )\w+/g)
    // What holds an 8-bit part is one itself.
    expect(said).toEqual(encoding === '8bit' ? ['8bit', '7bit', '8bit'] : ['7bit', encoding])
  }
})

test('an earlier version of a message can be attached to it', async () => {
  const first = await bytesOf(attached(Buffer.from('A: b\r\n\r\n')))
  const { attachments } = await simpleParser(await bytesOf(attached(first)))
  expect(attachments.map(({ content }) => content)).toEqual([first])
})

test('a server is told of bytes above 127 where there are any', async () => {
  const traits = (text: string) => attached(Buffer.from(text)).traits?.()
  expect(await traits('A: ä\r\n\r\n')).toMatchObject({ hasEightBitContent: true })
  expect(await traits('A: a\r\n\r\n')).toMatchObject({ hasEightBitContent: false })
  // Encoded, they are none.
  expect(await traits('A: ä\n\n')).toMatchObject({ hasEightBitContent: false })
})

test('an attached message is read twice at most, other attachments once', async () => {
  let asked = 0
  const counted = (contentType: string) => {
    const attachment = attachmentOf({ filename: 'a', contentType }, Buffer.from('A: b\r\n\r\n'))
    const content = () => {
      asked += 1
      return attachment.content()
    }
    return { ...attachment, content }
  }
  for (const [contentType, times] of [
    ['message/rfc822', 2],
    ['image/png', 1],
  ] as const) {
    asked = 0
    const source = render(outgoing({}, [counted(contentType)]))
    await source.traits?.()
    await bytesOf(source)
    expect(asked).toBe(times)
  }
})

test('a source that is left early, or whose attachment fails, lets go of its attachments', async () => {
  let isOpen = false
  const attachment = (fails: boolean) => ({
    ...attachmentOf({ filename: 'a', contentType: 'image/png' }, Buffer.alloc(0)),
    async *content() {
      isOpen = true
      try {
        for (let blocks = 0; blocks < 100; blocks += 1) {
          if (fails && blocks === 3) throw new Error('The store is gone.')
          yield Buffer.alloc(64 * 1024)
        }
      } finally {
        isOpen = false
      }
    },
  })
  let bytes = 0
  for await (const block of render(outgoing({}, [attachment(false)]))) {
    bytes += block.length
    if (bytes > 100_000) break
  }
  await expect.poll(() => isOpen).toBe(false)
  const failing = bytesOf(render(outgoing({}, [attachment(true)])))
  await expect(failing).rejects.toThrow('The store is gone.')
  expect(isOpen).toBe(false)
})
