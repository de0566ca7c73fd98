import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startLabDovecot } from '../lab/dovecot.ts'
import { eventually } from '../support/eventually.ts'
import { startService, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const SOURCE = [
  'From: grace@example.org',
  'To: ada@example.org',
  'Subject: kept twice',
  'Message-ID: <kept@example.org>',
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Only HTML</p>',
  '',
].join('\r\n')

/** A running service that has synced one message, and what reads it. */
async function setUp() {
  const dovecot = await startLabDovecot()
  onTestFinished(() => dovecot.stop())
  const user = await dovecot.addUser()
  const client = await dovecot.secondClient(user)
  await client.append('INBOX', SOURCE)

  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const env = { SVC_DATA_DIR: join(directory.path, 'data') }
  const service = await startService(['serve'], { env })
  const servers = {
    '--email': user.email,
    '--imap-host': dovecot.host,
    '--imap-port': String(dovecot.imapPort),
    '--imap-tls': 'none',
    '--imap-user': user.user,
    '--smtp-host': dovecot.host,
    '--smtp-port': '1',
  }
  const add = ['account', 'add', ...Object.entries(servers).flat(), '--no-test', '--password-stdin']
  expect(await svc(add, { env, input: `${user.password}\n` })).toMatchObject({ code: 0 })
  const token = await svc(['token', 'create', '--label', 'test'], { env })
  const headers = { Authorization: `Bearer ${token.stdout.trim()}` }
  const get = (path: string) => fetch(`${service.url}/api/v1${path}`, { headers })
  const id = await eventually(async () => {
    const { data } = (await (await get('/messages')).json()) as { data: { id: number }[] }
    expect(data).toHaveLength(1)
    return data[0]?.id
  })
  const loseSources = () => rm(join(env.SVC_DATA_DIR, 'sources'), { recursive: true })
  return { dovecot, client, get, id, loseSources }
}

test('a source that is missing is fetched from its server again and kept', async () => {
  const { dovecot, get, id, loseSources } = await setUp()
  await loseSources()
  const raw = await get(`/messages/${id}/raw`)
  expect(raw.status).toBe(200)
  expect(await raw.text()).toBe(SOURCE)

  await dovecot.stop()
  const detail = await get(`/messages/${id}?body=html`)
  expect(await detail.json()).toMatchObject({
    body: { html: expect.stringContaining('Only HTML') },
  })
})

test('without the server a missing source degrades: the text is answered, the raw message is not', async () => {
  const { dovecot, get, id, loseSources } = await setUp()
  await loseSources()
  await dovecot.stop()
  const raw = await get(`/messages/${id}/raw`)
  expect(raw.status).toBe(502)
  expect(await raw.json()).toMatchObject({ error: { code: 'upstream' } })
  const text = await get(`/messages/${id}`)
  expect(await text.json()).toMatchObject({ body: { text: 'Only HTML' } })
  const html = await get(`/messages/${id}?body=html`)
  expect(html.status).toBe(200)
  expect(await html.json()).toMatchObject({ body_error: expect.any(String) })
})
