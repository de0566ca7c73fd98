import { expect } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { sidecars } from '../../db/schema/sidecars.ts'
import type { LabDovecot } from '../lab/dovecot.ts'
import { eventually } from './eventually.ts'
import { setUpService, type Setup } from './killable-service.ts'
import { type Queued, queueOutgoing } from './outgoing.ts'
import { type RunningSvc, startSvc, svc } from './svc.ts'

/** A data directory whose account sends over this server, and what puts messages into its outbox. */
export async function setUpSending(
  dovecot: LabDovecot,
  user: DovecotUser,
  smtp: { readonly host: string; readonly port: number },
) {
  const setup = await setUpService(dovecot, user)
  const servers = { '--smtp-host': smtp.host, '--smtp-port': String(smtp.port) }
  const options = { ...servers, '--smtp-tls': 'none', '--smtp-user': user.user }
  const set = ['account', 'set', user.email, ...Object.entries(options).flat(), '--no-test']
  expect(await svc(set, { env: setup.env })).toMatchObject({ code: 0 })
  const queue = (queued: Partial<Queued> = {}) =>
    queueOutgoing(setup.store, {
      accountId: 1,
      nowMs: Date.now(),
      message: { from: { address: user.email } },
      ...queued,
    })
  return { ...setup, queue }
}

/** Resolves when the only account is in sync. */
export const inSync = ({ store }: Setup) =>
  eventually(
    async () => expect(await store.read.select().from(accounts)).toMatchObject([{ state: 'ok' }]),
    30_000,
  )

/** A sidecar process that syncs and sends. */
export async function startSidecar({ env, store }: Setup): Promise<RunningSvc> {
  const sidecar = startSvc(['sidecar'], { env })
  // It is started from the sources, which takes its time where others are at work.
  await eventually(
    async () => expect(await store.read.select().from(sidecars)).toHaveLength(1),
    60_000,
  )
  return sidecar
}
