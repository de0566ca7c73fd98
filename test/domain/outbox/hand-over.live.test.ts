import { expect, onTestFinished, test } from 'vitest'
import { claimDue } from '../../../domain/outbox/claim.ts'
import { handOver } from '../../../domain/outbox/hand-over.ts'
import { nodemailerSubmission } from '../../../runtime/node/smtp/submission.ts'
import { LabOAuthProvider } from '../../lab/oauth-provider.ts'
import { startLabSmtp } from '../../lab/smtp.ts'
import { authorisedAccount } from '../../support/authorised-account.ts'
import { entries, queueOutgoing } from '../../support/outgoing.ts'

/** A claimed message of an account that logs in by OAuth2, to a server that takes these tokens. */
async function setUp(isGood: (accessToken: string, firstToken: string) => boolean) {
  const provider = await LabOAuthProvider.start()
  onTestFinished(() => provider.stop())
  let first = ''
  const smtp = await startLabSmtp({ tls: 'none', isGoodToken: (_, token) => isGood(token, first) })
  onTestFinished(() => smtp.stop())
  const server = { host: smtp.host, port: smtp.port, tls: 'none', user: 'ada' } as const
  const { ctx, id, firstToken } = await authorisedAccount({
    provider,
    expiresInS: 3_600,
    account: { imap: server, smtp: server },
  })
  first = firstToken
  await queueOutgoing(ctx.store, { accountId: id, nowMs: Date.now() })
  const claiming = { sidecarId: 'here', underway: [], restingAccountIds: [], readyAccountIds: [] }
  const {
    claimed: [entry],
  } = await claimDue(ctx, claiming)
  if (!entry) throw new Error('Nothing was claimed.')
  const submission = nodemailerSubmission()
  onTestFinished(() => submission.close())
  const { signal } = new AbortController()
  return {
    provider,
    smtp,
    firstToken,
    statuses: async () => (await entries(ctx.store)).map(({ status }) => status),
    handOver: () => handOver({ ...ctx, submission }, entry, signal),
  }
}

test('an access token that is refused is renewed, once, and the message sent', async () => {
  const { provider, smtp, handOver: run, statuses } = await setUp((token, first) => token !== first)
  expect(await run()).toEqual({ kind: 'sent', refused: [] })
  expect(provider.tokenRequests).toEqual(['refresh_token'])
  expect(smtp.accepted).toHaveLength(1)
  expect(await statuses()).toEqual(['sending'])
})

test('a new token that is refused too is a failure that names no token, and nothing was handed over', async () => {
  const { provider, firstToken, handOver: run, statuses } = await setUp(() => false)
  const outcome = await run()
  expect(outcome).toMatchObject({
    failure: {
      failure: 'not_sent',
      isFinal: false,
      error: expect.stringMatching(/^The server refuses a new access token: 535/) as unknown,
    },
  })
  expect(JSON.stringify(outcome)).not.toContain(firstToken)
  expect(provider.tokenRequests).toEqual(['refresh_token'])
  expect(await statuses()).toEqual(['scheduled'])
})
