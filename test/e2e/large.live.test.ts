import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { generatedMailbox } from '../bench/generated-mailbox.ts'
import { childOf, memoryOf } from '../bench/processes.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { type ApiReader, apiReader } from '../support/api-reader.ts'
import { eventually } from '../support/eventually.ts'
import { startService, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const isLong = process.env['SVC_TEST_LONG'] === '1'
const MIB = 1024 * 1024
const LARGE_BYTES = 50 * MIB
const SIDECAR_MAX_BYTES = 600 * MIB
const BURST = 1_000
const FOLDERS = isLong ? 5_000 : 300
const FOLDER_LIST_WITHIN_MS = 1_000

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

/** A service that has synced the user's account. */
async function serve(user: DovecotUser, syncedWithinMs = 30_000) {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const env = { SVC_DATA_DIR: join(directory.path, 'data'), SVC_API_RATE_LIMIT: '0' }
  const service = await startService(['serve'], { env })
  onTestFinished(async () => {
    service.process.kill('SIGTERM')
    if (service.process.exitCode === null) await once(service.process, 'exit')
  })
  const scopes = ['--scopes', 'mail:read accounts:read']
  const token = await svc(['token', 'create', '--label', 'test', ...scopes], { env })
  const api = apiReader(service.url, token.stdout.trim())
  const servers = ['--imap-host', dovecot.host, '--imap-port', String(dovecot.imapPort)]
  const login = ['--imap-tls', 'none', '--imap-user', user.user, '--smtp-host', '::1']
  const options = ['--email', user.email, ...servers, ...login, '--no-test', '--password-stdin']
  await svc(['account', 'add', ...options], { env, input: user.password })
  const startedAtMs = performance.now()
  await eventually(async () => expect(await api.isSynced()).toBe(true), syncedWithinMs)
  const syncMs = performance.now() - startedAtMs
  const sidecar = childOf(service.pid, 'sidecar')
  if (sidecar === undefined) throw new Error('There is no sidecar.')
  return { api, sidecar, syncMs }
}

const subjects = async (api: ApiReader) => (await api.messages()).map(({ subject }) => subject)

test('a message of 50 MB arrives, is read whole and costs no more memory than there may be', async () => {
  const user = await dovecot.addUser()
  const { api, sidecar } = await serve(user)
  const line = `${'base64+/'.repeat(9)}\r\n`
  const head =
    'Subject: large\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n' +
    '--b\r\nContent-Type: text/plain\r\n\r\nThe film.\r\n' +
    '--b\r\nContent-Type: video/mp4; name=film.mp4\r\nContent-Transfer-Encoding: base64\r\n\r\n'
  const source = `${head}${line.repeat(Math.ceil(LARGE_BYTES / line.length))}--b--\r\n`
  const startedAtMs = performance.now()
  await dovecot.deliver(user, source)
  const deliveredMs = performance.now() - startedAtMs
  await eventually(async () => expect(await subjects(api)).toEqual(['large']), 60_000)
  const [message] = await api.messages()
  const text = await (await api.get(`messages/${message?.id}`)).text()
  expect(text).toContain('The film.')
  expect(text).toContain('film.mp4')
  const raw = Buffer.from(await (await api.get(`messages/${message?.id}/raw`)).arrayBuffer())
  expect(raw.subarray(-source.length).equals(Buffer.from(source))).toBe(true)
  const film = await (await api.get(`messages/${message?.id}/attachments/0`)).arrayBuffer()
  expect(film.byteLength).toBeGreaterThan((LARGE_BYTES / 4) * 2.9)
  const { peakBytes } = memoryOf(sidecar)
  console.log(
    `50 MB: ${Math.round(deliveredMs)} ms to deliver, ${Math.round(performance.now() - startedAtMs)} ms to read; sidecar at most ${Math.round(peakBytes / MIB)} MiB`,
  )
  expect(peakBytes).toBeLessThan(SIDECAR_MAX_BYTES)
})

test('a thousand messages that come in a second are all there, each once, the first of them early', async () => {
  const user = await dovecot.addUser()
  const { api } = await serve(user)
  const burst = [...generatedMailbox(BURST)]
  const startedAtMs = performance.now()
  await seedMaildir(user, 'INBOX', burst)
  const deliveredMs = performance.now() - startedAtMs
  const countAtLeast = (count: number) =>
    eventually(async () => expect(await api.messageCount()).toBeGreaterThanOrEqual(count), 60_000)
  await countAtLeast(1)
  const firstMs = performance.now() - startedAtMs
  await dovecot.deliver(
    user,
    'Subject: one more\r\nMessage-ID: <more@example.org>\r\n\r\nHello.\r\n',
  )
  await countAtLeast(BURST + 1)
  const allMs = performance.now() - startedAtMs
  console.log(
    `${BURST} messages: delivered in ${Math.round(deliveredMs)} ms, the first seen after ${Math.round(firstMs)} ms, all after ${Math.round(allMs)} ms`,
  )
  const ids = await api.messageIds()
  expect(ids.size).toBe(BURST + 1)
  expect(new Set(ids.values()).size).toBe(BURST + 1)
  expect(firstMs).toBeLessThan(allMs)
})

test(
  `${FOLDERS} folders are all there, and listed in a second`,
  async () => {
    const user = await dovecot.addUser()
    for (let n = 1; n <= FOLDERS; n += 1)
      await seedMaildir(user, `Archive ${n % 50}/Folder ${n}`, generatedMailbox(n % 100 ? 0 : 1))
    const { api, syncMs } = await serve(user, FOLDERS * 200)
    const startedAtMs = performance.now()
    const listed = await (await api.get('folders')).text()
    const listMs = performance.now() - startedAtMs
    console.log(
      `${FOLDERS} folders: synced in ${Math.round(syncMs)} ms, listed in ${Math.round(listMs)} ms`,
    )
    expect(listed.match(/"Folder \d+"/g)).toHaveLength(FOLDERS)
    expect(await api.messageCount()).toBe(FOLDERS / 100)
    expect(listMs).toBeLessThan(FOLDER_LIST_WITHIN_MS)
  },
  60_000 + FOLDERS * 200,
)
