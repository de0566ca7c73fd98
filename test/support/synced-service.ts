import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

import type { Dovecot, DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { startService, svc } from './svc.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** A whole service, both halves, that syncs the user's mailbox until the test ends; a request to its API. */
export async function startSyncedService(
  dovecot: Dovecot,
  user: DovecotUser,
): Promise<(path: string) => Promise<Response>> {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const env = { SVC_DATA_DIR: join(directory.path, 'data'), SVC_API_RATE_LIMIT: '0' }
  const service = await startService(['serve'], { env })
  const options = Object.entries({
    '--email': user.email,
    '--imap-host': dovecot.host,
    '--imap-port': String(dovecot.imapPort),
    '--imap-tls': 'none',
    '--imap-user': user.user,
    '--smtp-host': dovecot.host,
    '--smtp-port': '1',
  }).flat()
  const add = ['account', 'add', ...options, '--no-test', '--password-stdin']
  expect(await svc(add, { env, input: `${user.password}\n` })).toMatchObject({ code: 0 })
  const token = await svc(['token', 'create', '--label', 'test'], { env })
  const headers = { Authorization: `Bearer ${token.stdout.trim()}` }
  return (path) => fetch(`${service.url}/api/v1${path}`, { headers })
}
