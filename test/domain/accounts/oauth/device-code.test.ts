import { expect, test } from 'vitest'
import type { OAuthClient } from '../../../../domain/accounts/oauth/client.ts'
import {
  awaitDeviceAuthorisation,
  beginDeviceAuthorisation,
} from '../../../../domain/accounts/oauth/device-code.ts'
import type { Clock } from '../../../../runtime/ports/clock.ts'
import type { Outbound, OutboundReply } from '../../../../runtime/ports/outbound.ts'

const CLIENT: OAuthClient = {
  provider: 'microsoft',
  clientId: 'id',
  authUrl: 'https://a.test/',
  tokenUrl: 'https://t.test/',
  deviceUrl: 'https://d.test/',
}
const DEVICE = {
  device_code: 'device-secret',
  user_code: 'ABCD-EFGH',
  verification_uri: 'https://microsoft.test/device',
  expires_in: 900,
  interval: 7,
}
const TOKENS = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer' }
const TIMEOUT: OutboundReply = { status: null, failure: 'timeout', reason: 'too slow' }

const says = (status: number, body: object): OutboundReply => ({
  status,
  headers: {},
  body: new TextEncoder().encode(JSON.stringify(body)),
  truncated: false,
})
const denies = (error: string) => says(400, { error })

/** A provider that answers in this order, and a clock on which sleeping takes no time. */
function script(...replies: OutboundReply[]) {
  let nowMs = 0
  const waitedMs: number[] = []
  const asked: { url: string; form: Record<string, string> }[] = []
  const clock: Clock = {
    now: () => new Date(nowMs),
    async sleep(ms) {
      waitedMs.push(ms)
      nowMs += ms
    },
  }
  const outbound: Outbound = {
    async send({ url, body }) {
      asked.push({
        url,
        form: Object.fromEntries(new URLSearchParams(String(Buffer.from(body ?? [])))),
      })
      return replies.shift() ?? denies('authorization_pending')
    },
  }
  return { ctx: { clock, outbound }, waitedMs, asked }
}

async function authorise(...replies: OutboundReply[]) {
  const { ctx, waitedMs, asked } = script(says(200, DEVICE), ...replies)
  const pending = await beginDeviceAuthorisation(ctx, CLIENT)
  const outcome = await awaitDeviceAuthorisation(ctx, pending).catch((error: unknown) => error)
  return { pending, outcome, waitedMs, asked }
}

test('a code is asked for, shown, and polled for at the interval until it is granted', async () => {
  const pending = denies('authorization_pending')
  const run = await authorise(pending, pending, says(200, TOKENS))
  expect(run.pending).toMatchObject({
    verificationUrl: 'https://microsoft.test/device',
    userCode: 'ABCD-EFGH',
  })
  expect(run.outcome).toMatchObject({ tokens: { accessToken: 'a', refreshToken: 'r' } })
  expect(run.waitedMs).toEqual([7_000, 7_000, 7_000])
  expect(run.asked[0]).toEqual({
    url: 'https://d.test/',
    form: {
      client_id: 'id',
      scope:
        'offline_access https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send',
    },
  })
  expect(run.asked[1]).toEqual({
    url: 'https://t.test/',
    form: {
      client_id: 'id',
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'device-secret',
    },
  })
})

test('slow_down adds five seconds, for good', async () => {
  const run = await authorise(
    denies('slow_down'),
    denies('authorization_pending'),
    denies('slow_down'),
    says(200, TOKENS),
  )
  expect(run.waitedMs).toEqual([7_000, 12_000, 12_000, 17_000])
})

test('an endpoint that fails meanwhile is asked more and more seldom, and then succeeds', async () => {
  const run = await authorise(TIMEOUT, says(503, {}), TIMEOUT, TIMEOUT, TIMEOUT, says(200, TOKENS))
  expect(run.outcome).toMatchObject({ tokens: { accessToken: 'a' } })
  expect(run.waitedMs).toEqual([7_000, 14_000, 28_000, 56_000, 60_000, 60_000])
})

test.each(['access_denied', 'expired_token', 'invalid_grant'])('%s ends it', async (error) => {
  const run = await authorise(denies('authorization_pending'), denies(error), says(200, TOKENS))
  expect(run.outcome).toMatchObject({
    code: 'upstream',
    message: `Microsoft gave no authorisation: ${error}`,
  })
  expect(run.asked).toHaveLength(3)
})

test('a code that nobody enters ends with its time', async () => {
  const run = await authorise()
  expect(run.outcome).toMatchObject({ message: 'Nobody entered the code in time.' })
  expect(run.waitedMs.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(900_000)
})

test('the name of the address from before the standard is known too', async () => {
  const { verification_uri: url, ...rest } = DEVICE
  const { ctx } = script(says(200, { ...rest, verification_url: url }))
  expect(await beginDeviceAuthorisation(ctx, CLIENT)).toMatchObject({ verificationUrl: url })
})

test.each([
  ['a refusal', says(400, { error: 'invalid_client' }), 'invalid_client'],
  ['a failure', says(500, {}), 'it answered 500'],
  ['nothing', TIMEOUT, 'too slow'],
  ['half an answer', says(200, { device_code: 'x' }), 'something else'],
])('%s in place of a code is told', async (_what, reply, words) => {
  const { ctx } = script(reply)
  await expect(beginDeviceAuthorisation(ctx, CLIENT)).rejects.toThrow(words)
})

test('Google is not asked for what it does not give', async () => {
  const { ctx, asked } = script()
  await expect(
    beginDeviceAuthorisation(ctx, { ...CLIENT, provider: 'google' }),
  ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('browser') })
  expect(asked).toEqual([])
})
