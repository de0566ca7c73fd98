import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { startLabDovecot } from '../lab/dovecot.ts'
import { eventually } from './eventually.ts'
import { startService, svc } from './svc.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** A running service with one account named Ada, which has synced these messages, oldest first. */
export async function serviceWithMail(
  sources: readonly string[],
  { password = 'correct-horse-battery-staple', args = [] as readonly string[] } = {},
) {
  const dovecot = await startLabDovecot()
  onTestFinished(() => dovecot.stop())
  const user = await dovecot.addUser({ password })
  const client = await dovecot.secondClient(user)
  for (const source of sources) await client.append('INBOX', source)

  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const dataDir = join(directory.path, 'data')
  const env = { SVC_DATA_DIR: dataDir }
  const service = await startService(['serve'], { env })
  const servers = {
    '--email': user.email,
    '--name': 'Ada',
    '--imap-host': dovecot.host,
    '--imap-port': String(dovecot.imapPort),
    '--imap-tls': 'none',
    '--imap-user': user.user,
    '--smtp-host': dovecot.host,
    '--smtp-port': '1',
  }
  const add = ['account', 'add', ...Object.entries(servers).flat(), '--no-test', '--password-stdin']
  const added = await svc([...add, ...args], { env, input: `${password}\n` })
  expect(added).toMatchObject({ code: 0 })
  const token = await svc(['token', 'create', '--label', 'test'], { env })
  const headers = { Authorization: `Bearer ${token.stdout.trim()}` }
  const get = (path: string) => fetch(`${service.url}/api/v1${path}`, { headers })
  const ids = await eventually(async () => {
    const { data } = (await (await get('/messages')).json()) as { data: { id: number }[] }
    expect(data).toHaveLength(sources.length)
    return data.map(({ id }) => id)
  })
  return {
    dovecot,
    user,
    client,
    dataDir,
    service,
    get,
    /** Of the messages, the newest first. */
    ids,
    svc: (...command: readonly string[]) => svc([...command], { env }),
  }
}
