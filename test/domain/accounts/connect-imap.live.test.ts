import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DovecotUser } from '../../../cli/commands/local/demo/dovecot.ts'
import { connectImap } from '../../../domain/accounts/connect-imap.ts'
import { updateAccount } from '../../../domain/accounts/update.ts'
import { memoryMetrics } from '../../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../../runtime/node/imap/mail-server.ts'
import { startLabDovecot, type LabDovecot } from '../../lab/dovecot.ts'
import { LabOAuthProvider } from '../../lab/oauth-provider.ts'
import { authorisedAccount } from '../../support/authorised-account.ts'
import { noTranscripts } from '../../support/no-transcripts.ts'

let provider: LabOAuthProvider
let dovecot: LabDovecot
let user: DovecotUser
beforeAll(async () => {
  provider = await LabOAuthProvider.start()
  dovecot = await startLabDovecot({ introspectionUrl: provider.introspectionUrl })
  user = await dovecot.addUser()
})
afterAll(async () => {
  await dovecot.stop()
  provider.stop()
})
beforeEach(() => {
  provider.tokenRequests.length = 0
})

async function authorised(imapUser = user.email) {
  const { host, imapPort: port } = dovecot
  const imap = { host, port, tls: 'none', user: imapUser } as const
  const account = { email: user.email, imap }
  const { ctx, ...rest } = await authorisedAccount({ provider, expiresInS: 3_600, account })
  const ports = {
    mailServer: imapflowMailServer({ metrics: memoryMetrics() }),
    transcripts: noTranscripts,
  }
  return { ...rest, ctx: { ...ctx, ...ports } }
}

async function folders(session: Awaited<ReturnType<typeof connectImap>>) {
  const mailboxes = await session?.listMailboxes()
  await session?.close()
  return mailboxes?.map(({ path }) => path)
}

test('a token that is good logs in', async () => {
  const { ctx, id } = await authorised()
  expect(await folders(await connectImap(ctx, id))).toContain('INBOX')
  expect(provider.tokenRequests).toEqual([])
})

test('a token that should be good but is refused is renewed once', async () => {
  const { ctx, id } = await authorised()
  provider.endAccessTokens()
  expect(await folders(await connectImap(ctx, id))).toContain('INBOX')
  expect(provider.tokenRequests).toEqual(['refresh_token'])
})

test('a server that refuses the new token too is quoted, and the endpoint is asked only once', async () => {
  const { ctx, id } = await authorised('somebody-else@example.test')
  await expect(connectImap(ctx, id)).rejects.toMatchObject({
    kind: 'auth',
    retryable: false,
    message: 'The server refuses a new access token: Authentication failed.',
  })
  expect(provider.tokenRequests).toEqual(['refresh_token'])
})

test('a refused token of a grant that was taken back asks to authorise again', async () => {
  const { ctx, id } = await authorised()
  provider.revoke()
  await expect(connectImap(ctx, id)).rejects.toMatchObject({
    kind: 'auth',
    message: expect.stringMatching(/authorise again: svc account authorise Ada$/),
  })
})

test('a refused password is refused at once', async () => {
  const { ctx, id } = await authorised()
  await updateAccount(ctx, { id, password: 'wrong' })
  await expect(connectImap(ctx, id)).rejects.toMatchObject({
    kind: 'auth',
    message: 'Authentication failed.',
  })
  await updateAccount(ctx, { id, password: user.password })
  expect(await folders(await connectImap(ctx, id))).toContain('INBOX')
  expect(provider.tokenRequests).toEqual([])
})

test('an account that is gone is undefined', async () => {
  const { ctx } = await authorised()
  expect(await connectImap(ctx, 77)).toBeUndefined()
})
