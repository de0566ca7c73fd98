import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemLookup } from '../../../runtime/node/guarded-lookup.ts'
import { nodeMailProbe } from '../../../runtime/node/mail-probe.ts'
import type { ProbedServer } from '../../../runtime/ports/mail-probe.ts'
import { startLabDovecot, type LabDovecot } from '../../lab/dovecot.ts'
import { startLabSmtp, type SmtpOptions } from '../../lab/smtp.ts'
import { trustAuthority } from '../../support/trusted-authority.ts'

const DEADLINE_MS = 3_000

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

const probe = nodeMailProbe({ networks: 'private', lookup: systemLookup })

async function smtpServer(tls: NonNullable<SmtpOptions['tls']>): Promise<ProbedServer> {
  const smtp = await startLabSmtp({ tls })
  onTestFinished(() => smtp.stop())
  trustAuthority(smtp.caFile)
  const { port } = smtp
  return { protocol: 'smtp', host: 'localhost', port, tls: tls === 'implicit' ? tls : 'starttls' }
}

const imap = (tls: ProbedServer['tls'], port: number): ProbedServer => ({
  protocol: 'imap',
  host: 'localhost',
  port,
  tls,
})

test.each(['implicit', 'starttls'] as const)('an IMAP server is found over %s TLS', async (tls) => {
  trustAuthority(dovecot.certificate.caFile)
  const port = tls === 'implicit' ? dovecot.imapsPort : dovecot.imapPort
  expect(await probe.probe(imap(tls, port), DEADLINE_MS)).toEqual({ ok: true })
})

test.each(['implicit', 'starttls'] as const)('an SMTP server is found over %s TLS', async (tls) => {
  expect(await probe.probe(await smtpServer(tls), DEADLINE_MS)).toEqual({ ok: true })
})

test('a server whose certificate nobody vouches for is none', async () => {
  const result = await probe.probe(imap('implicit', dovecot.imapsPort), DEADLINE_MS)
  expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/certificate|self/) })
})

test('a server that offers no STARTTLS is none', async () => {
  expect(await probe.probe(await smtpServer('none'), DEADLINE_MS)).toMatchObject({ ok: false })
})

test('a server of the other protocol is none', async () => {
  const server = { ...(await smtpServer('implicit')), protocol: 'imap' } as const
  expect(await probe.probe(server, 500)).toMatchObject({ ok: false })
})

test('an address that may not be dialled is not dialled', async () => {
  const strict = nodeMailProbe({ networks: 'public', lookup: systemLookup })
  const result = await strict.probe(imap('implicit', dovecot.imapsPort), DEADLINE_MS)
  expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('loopback') })
})
