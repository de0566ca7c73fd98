import { expect, onTestFinished, test } from 'vitest'
import { memoryMetrics } from '../../../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../../../runtime/node/imap/mail-server.ts'
import { startHostileImap } from '../../../lab/hostile-imap.ts'
import { startLabCourier } from '../../../lab/courier.ts'
import { startLabCyrus } from '../../../lab/cyrus.ts'
import { startLabDovecot } from '../../../lab/dovecot.ts'
import type { LabServer } from '../../../lab/lab-server.ts'
import { openSession } from '../../../support/imap-session.ts'
import { smallMail as mail } from '../../../support/small-mail.ts'
import { wholeSource } from '../../../support/whole-source.ts'

const MEBIBYTE = 1024 * 1024

/** A message of exactly so many bytes. */
function largeMail(size: number, subject: string): Buffer {
  const head = `Subject: ${subject}\r\n\r\n`
  return Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(size - head.length - 2, 'A line.\r\n'),
    Buffer.from('\r\n'),
  ])
}

const SERVERS: readonly (readonly [string, () => Promise<LabServer>])[] = [
  ['Dovecot', () => startLabDovecot()],
  ['Courier', () => startLabCourier()],
  ['Cyrus', () => startLabCyrus()],
]

test.each(SERVERS)('%s is asked for thousands of UIDs with gaps', async (_, start) => {
  const server = await start()
  onTestFinished(() => server.stop())
  const user = await server.addUser()
  const client = await server.secondClient(user)
  await client.append('INBOX', mail('one'))
  const session = await imapflowMailServer({ metrics: memoryMetrics() }).connect({
    host: server.host,
    port: server.imapPort,
    tls: 'none',
    user: user.user,
    login: { kind: 'password', password: user.password },
  })
  onTestFinished(() => session.close())
  await session.select('INBOX')
  const got: number[] = []
  const uids = [1, ...Array.from({ length: 12_000 }, (__, n) => 1_000_001 + 2 * n)]
  for await (const { uid } of session.fetchMessages(uids)) got.push(uid)
  expect(got).toEqual([1])
})

test.each(SERVERS)('%s gives large messages whole, byte for byte', async (_, start) => {
  const server = await start()
  onTestFinished(() => server.stop())
  const session = await openSession(server, await server.addUser())
  // Below and above what is fetched in one piece, at the end of a piece, and just beyond it.
  const sizes = [3_000_000, 5 * MEBIBYTE, 5 * MEBIBYTE + 1, 6_500_000]
  const sources = sizes.map((size, n) => largeMail(size, String(n)))
  for (const source of sources)
    await session.append('INBOX', { source, flags: [], internalDateMs: 0 })
  await session.select('INBOX')
  const got = new Map<number, Uint8Array>()
  for await (const fetched of session.fetchMessages([1, 2, 3, 4])) {
    expect(fetched.size).toBe(fetched.source.byteLength)
    expect(fetched.source instanceof Uint8Array).toBe(fetched.uid === 1)
    got.set(fetched.uid, await wholeSource(fetched))
  }
  expect(
    sources.map((source, n) => Buffer.compare(source, got.get(n + 1) ?? source.subarray(1))),
  ).toEqual([0, 0, 0, 0])
  const headers: string[] = []
  for await (const { uid, headersRaw } of session.fetchHeaders([1, 2, 3, 4]))
    headers[uid - 1] = Buffer.from(headersRaw).toString()
  expect(headers).toEqual(sizes.map((_size, n) => `Subject: ${n}\r\n\r\n`))
})

/** A session with a server whose only message has this source, says that size of it, and answers about it so. */
async function withOne(source: string, saidSize: number, piece: (start: number) => string) {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  imap.behave({
    answer({ tag, command, args }, honest) {
      if (command !== 'UID FETCH') return honest
      const [, start] = /BODY\.PEEK\[\](?:<(\d+))?/.exec(args) ?? []
      const bytes = start === undefined ? source : piece(Number(start))
      const body = args.includes('BODY') ? ` BODY[] {${bytes.length}}\r\n${bytes}` : ''
      const facts = `UID 1 FLAGS () INTERNALDATE "01-Jan-2026 00:00:00 +0000" RFC822.SIZE ${saidSize}`
      return `* 1 FETCH (${facts}${body})\r\n${tag} OK done\r\n`
    },
  })
  const session = await openSession(imap, imap.user)
  return async () => {
    const sources: Uint8Array[] = []
    for await (const fetched of session.fetchMessages([1])) sources.push(await wholeSource(fetched))
    return sources.map((one) => Buffer.from(one).equals(Buffer.from(source)))
  }
}

const SOURCE = largeMail(5 * MEBIBYTE, 'one').toString('latin1')

test.each([
  ['knows no pieces', SOURCE.length, () => SOURCE],
  ['says too much', SOURCE.length + 3 * MEBIBYTE, pieceOf],
  ['says too little', SOURCE.length - MEBIBYTE + 1, pieceOf],
])('a server that %s gives the message all the same', async (_, saidSize, piece) => {
  const fetched = await withOne(SOURCE, saidSize, piece)
  expect(await fetched()).toEqual([true])
})

test('a message that goes while it is fetched is passed over', async () => {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  let pieces = 0
  imap.behave({
    answer({ tag, command, args }, honest) {
      if (command !== 'UID FETCH') return honest
      const isPiece = args.includes('BODY')
      if (isPiece && ++pieces > 2) return `${tag} OK done\r\n`
      const body = isPiece ? ` BODY[] {${MEBIBYTE}}\r\n${SOURCE.slice(0, MEBIBYTE)}` : ''
      return `* 1 FETCH (UID 1 FLAGS () RFC822.SIZE ${SOURCE.length}${body})\r\n${tag} OK done\r\n`
    },
  })
  const session = await openSession(imap, imap.user)
  const got: number[] = []
  for await (const { uid } of session.fetchMessages([1])) got.push(uid)
  expect(got).toEqual([])
  expect(pieces).toBe(3)
})

test('a message that never ends is no message', async () => {
  const fetched = await withOne(SOURCE, SOURCE.length, () => SOURCE.slice(0, MEBIBYTE))
  await expect(fetched()).rejects.toThrow('more of a message than it said')
})

function pieceOf(start: number): string {
  return SOURCE.slice(start, start + MEBIBYTE)
}
