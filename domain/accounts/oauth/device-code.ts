import { z } from 'zod'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { invalidRequest, upstream } from '../../errors.ts'
import type { OAuthClient } from './client.ts'
import { grantIn, type NewGrant } from './granted.ts'
import { OAUTH_PROVIDERS } from './providers.ts'
import { jsonOf, readTokenAnswer } from './token-answer.ts'
import { askTokenEndpoint, postForm } from './token-endpoint.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const DEFAULT_INTERVAL_S = 5
/** What `slow_down` adds to the interval (RFC 8628 section 3.5). */
const SLOW_DOWN_MS = 5_000
const LONGEST_INTERVAL_MS = 60_000

/** An authorisation that somebody is asked for on any device (RFC 8628). */
export interface PendingDevice {
  readonly client: OAuthClient
  /** For people: where to go, and what to enter there. */
  readonly verificationUrl: string
  readonly userCode: string
  readonly deviceCode: string
  readonly intervalMs: number
  readonly expiresAtMs: number
}

const deviceAnswer = z
  .object({
    device_code: z.string().min(1),
    user_code: z.string().min(1),
    verification_uri: z.url().optional(),
    // Google's name of it, from before the standard.
    verification_url: z.url().optional(),
    expires_in: z.coerce.number().positive(),
    interval: z.coerce.number().positive().catch(DEFAULT_INTERVAL_S),
  })
  .transform(({ verification_uri: uri, verification_url: url = uri, ...rest }) => ({
    ...rest,
    url,
  }))

/**
 * Asks for a device code. Throws `upstream` in the provider's words, and `invalid_request` where it has none for
 * mail.
 */
export async function beginDeviceAuthorisation(
  ctx: Needs<'outbound' | 'clock'>,
  client: OAuthClient,
): Promise<PendingDevice> {
  const { name, scopes, hasDeviceCodes } = OAUTH_PROVIDERS[client.provider]
  if (!hasDeviceCodes)
    throw invalidRequest(`${name} gives no device codes for mail: authorise in a browser instead.`)
  const form = { client_id: client.clientId, scope: scopes.join(' ') }
  const reply = await postForm(ctx, client.deviceUrl, form)
  const answer = deviceAnswer.safeParse(reply.status === 200 ? jsonOf(reply.body) : undefined)
  if (!answer.success || answer.data.url === undefined) {
    const said = readTokenAnswer(reply, [])
    const words = said.kind === 'issued' ? 'no code' : said.words
    throw upstream(`${name} gave no device code: ${words}`)
  }
  return {
    client,
    verificationUrl: answer.data.url,
    userCode: answer.data.user_code,
    deviceCode: answer.data.device_code,
    intervalMs: answer.data.interval * 1_000,
    expiresAtMs: ctx.clock.now().getTime() + answer.data.expires_in * 1_000,
  }
}

/**
 * Asks, as often as the provider allows, until somebody has decided. Throws `upstream` where that was a no, or came
 * to nothing in time; a provider that cannot be reached meanwhile is asked again, more and more seldom.
 */
export async function awaitDeviceAuthorisation(
  ctx: Needs<'outbound' | 'clock'>,
  { client, deviceCode, intervalMs, expiresAtMs }: PendingDevice,
): Promise<NewGrant> {
  let waitMs = intervalMs
  while (ctx.clock.now().getTime() < expiresAtMs) {
    await ctx.clock.sleep(waitMs)
    const answer = await askTokenEndpoint(ctx, client, {
      grant_type: DEVICE_GRANT,
      device_code: deviceCode,
    })
    if (answer.kind === 'failed') waitMs = Math.min(LONGEST_INTERVAL_MS, waitMs * 2)
    else if (answer.kind === 'denied' && answer.error === 'slow_down') waitMs += SLOW_DOWN_MS
    else if (answer.kind === 'issued' || answer.error !== 'authorization_pending')
      return grantIn(answer, client)
  }
  throw upstream('Nobody entered the code in time.')
}
