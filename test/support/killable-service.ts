import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { expect } from 'vitest'
import { openFileStore } from '../../runtime/node/file-store.ts'
import { childOf, isRunning } from '../bench/processes.ts'
import type { LabServer, LabUser } from '../lab/lab-server.ts'
import type { LabSmtp } from '../lab/smtp.ts'
import { apiReader, type ApiReader } from './api-reader.ts'
import { eventually } from './eventually.ts'
import { startService, svc } from './svc.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** The sidecar ends in good order when it sees that its parent is gone. */
const ORPHAN_ENDS_WITHIN_MS = 10_000

/** What can be killed: the process beside the API, the one that answers it, or both at once. */
export const VICTIMS = ['sidecar', 'handlers', 'both'] as const

interface SetupOptions {
  readonly scopes?: string
  /** Where what is sent goes; without TLS. */
  readonly smtp?: Pick<LabSmtp, 'host' | 'port'>
}

/** A data directory with the account and a token, and its database as others see it. */
export async function setUpService(
  imap: Pick<LabServer, 'host' | 'imapPort'>,
  user: LabUser,
  { scopes = 'mail:read accounts:read', smtp }: SetupOptions = {},
) {
  const directory = temporaryDirectory()
  const dataDir = join(directory.path, 'data')
  const env = { SVC_DATA_DIR: dataDir, SVC_API_RATE_LIMIT: '0' }
  const servers = { '--imap-host': imap.host, '--imap-port': String(imap.imapPort) }
  const options = {
    ...servers,
    '--imap-tls': 'none',
    '--imap-user': user.user,
    '--smtp-host': smtp?.host ?? '::1',
    ...(smtp && { '--smtp-port': String(smtp.port), '--smtp-tls': 'none' }),
  }
  const args = ['account', 'add', '--email', user.email, ...Object.entries(options).flat()]
  const added = await svc([...args, '--no-test', '--password-stdin'], { env, input: user.password })
  expect(added).toMatchObject({ code: 0 })
  const token = await svc(['token', 'create', '--label', 'test', '--scopes', scopes], { env })
  const store = openFileStore(`file:${join(dataDir, 'svc.db')}`)
  const remove = async () => {
    await store.close()
    directory[Symbol.dispose]()
  }
  return { env, dataDir, store, token: token.stdout.trim(), remove }
}
export type Setup = Awaited<ReturnType<typeof setUpService>>

async function onDatabase({ dataDir }: Setup, statement: string) {
  const url = `file:${join(dataDir, 'svc.db')}`
  // What was killed a moment ago may still hold the lock.
  const database = createClient({ url, timeout: 5_000 })
  try {
    return (await database.execute(statement)).rows
  } finally {
    database.close()
  }
}

/** Expects the database to be undamaged. */
export const expectWhole = async (setup: Setup) =>
  expect(await onDatabase(setup, 'pragma integrity_check')).toMatchObject([
    { integrity_check: 'ok' },
  ])

export interface Running {
  readonly service: Awaited<ReturnType<typeof startService>>
  readonly api: ApiReader
}

export async function run({ env, token }: Setup): Promise<Running> {
  const service = await startService(['serve'], { env })
  return { service, api: apiReader(service.url, token) }
}

const sidecarOf = ({ service }: Running) =>
  eventually(async () => {
    const sidecar = childOf(service.pid, 'sidecar')
    if (sidecar === undefined) throw new Error('There is no sidecar.')
    return sidecar
  })

/** Kills it without warning; what runs afterwards, which is the same service where only its child was hit. */
export async function kill(setup: Setup, running: Running, victim: (typeof VICTIMS)[number]) {
  const sidecar = await sidecarOf(running)
  const { service } = running
  if (victim !== 'sidecar') service.process.kill('SIGKILL')
  if (victim !== 'handlers') process.kill(sidecar, 'SIGKILL')
  if (victim === 'sidecar') return running
  await service.ended
  // Nobody waits here until what the one that was killed has claimed is free again.
  if (victim === 'both') {
    await onDatabase(setup, 'update account_leases set expires_at = 0')
    await onDatabase(setup, 'update webhook_lanes set expires_at = 0')
    await onDatabase(setup, 'update outbox set claimed_until = 0 where claimed_until is not null')
  }
  const next = await run(setup)
  await eventually(async () => expect(isRunning(sidecar)).toBe(false), ORPHAN_ENDS_WITHIN_MS)
  return next
}
