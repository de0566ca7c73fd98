import { z } from 'zod'
import type { OutboundReply } from '../../../runtime/ports/outbound.ts'
import { maskOf } from '../../mask.ts'

/** What a grant or a refresh gave (RFC 6749 section 5.1). */
export interface IssuedTokens {
  readonly accessToken: string
  /** Absent where the old one goes on to be good. */
  readonly refreshToken?: string
  readonly expiresInMs: number
  /** What was granted, separated by spaces; absent where it is what was asked for. */
  readonly scope?: string
  /** An ID token (OpenID Connect Core section 2). */
  readonly idToken?: string
}

/** `denied` is the endpoint's own decision, by its error code; `failed` says nothing about the grant. */
export type TokenAnswer =
  | { readonly kind: 'issued'; readonly tokens: IssuedTokens }
  | { readonly kind: 'denied'; readonly error: string; readonly words: string }
  | { readonly kind: 'failed'; readonly words: string }

/** Where the endpoint does not say how long a token is good, it should say so elsewhere; an hour is usual. */
const DEFAULT_EXPIRY_S = 3_600
const WORDS_LENGTH_MAX = 300

/** Printable ASCII (RFC 6749 appendix A), since it goes into a line of a mail protocol. */
const token = z.string().regex(/^[\x20-\x7e]+$/)

const issued = z
  .object({
    access_token: token,
    token_type: z.string().refine((type) => type.toLowerCase() === 'bearer'),
    expires_in: z.coerce.number().positive().max(1e9).catch(DEFAULT_EXPIRY_S),
    refresh_token: token.optional(),
    scope: z.string().optional(),
    id_token: z.string().optional(),
  })
  .transform((body): IssuedTokens => ({
    accessToken: body.access_token,
    expiresInMs: body.expires_in * 1_000,
    ...(body.refresh_token !== undefined && { refreshToken: body.refresh_token }),
    ...(body.scope !== undefined && { scope: body.scope }),
    ...(body.id_token !== undefined && { idToken: body.id_token }),
  }))

const denied = z.object({ error: z.string(), error_description: z.string().catch('') })

/** Reads what a token endpoint answered. `secrets` never show in its words, whatever it repeats of the request. */
export function readTokenAnswer(reply: OutboundReply, secrets: readonly string[]): TokenAnswer {
  if (reply.status === null) return { kind: 'failed', words: reply.reason }
  const body = jsonOf(reply.body)
  const tokens = issued.safeParse(body)
  if (reply.status === 200 && tokens.success) return { kind: 'issued', tokens: tokens.data }
  const refusal = denied.safeParse(body)
  const words = refusal.success ? refusalWords(refusal.data, secrets) : ''
  // Only 400 and 401 are answers to what was asked (RFC 6749 section 5.2); Google also says 403 and 428.
  const isDecision = [400, 401, 403, 428].includes(reply.status)
  if (refusal.success && isDecision) return { kind: 'denied', error: refusal.data.error, words }
  if (reply.status === 200)
    return { kind: 'failed', words: 'it answered with something else than tokens' }
  return {
    kind: 'failed',
    words: `it answered ${reply.status}${words === '' ? '' : ` (${words})`}`,
  }
}

export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

function refusalWords(
  { error, error_description: description }: z.output<typeof denied>,
  secrets: readonly string[],
): string {
  const text = [error, description].filter((part) => part !== '').join(': ')
  return maskOf(secrets)(text)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, WORDS_LENGTH_MAX)
}
