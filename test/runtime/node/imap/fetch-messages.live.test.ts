import { expect, onTestFinished, test } from 'vitest'
import { memoryMetrics } from '../../../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../../../runtime/node/imap/mail-server.ts'
import { startLabCourier } from '../../../lab/courier.ts'
import { startLabCyrus } from '../../../lab/cyrus.ts'
import { startLabDovecot } from '../../../lab/dovecot.ts'
import type { LabServer } from '../../../lab/lab-server.ts'
import { smallMail as mail } from '../../../support/small-mail.ts'

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
