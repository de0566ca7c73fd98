import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { upstream } from '../../errors.ts'
import type { OAuthClient } from './client.ts'
import { grantIn, type NewGrant } from './granted.ts'
import { OAUTH_PROVIDERS } from './providers.ts'
import { askTokenEndpoint } from './token-endpoint.ts'

/** An authorisation that somebody is asked for in a browser. */
export interface PendingAuthorisation {
  readonly client: OAuthClient
  /** Where the browser has to go. */
  readonly url: string
  readonly redirectUri: string
  readonly state: string
  /** Proves that whoever redeems the code asked for it (RFC 7636). */
  readonly codeVerifier: string
}

const RANDOM_BYTES = 32

/** Begins an authorisation by browser (RFC 6749 section 4.1, RFC 8252); `loginHint` is the mailbox wanted. */
export function beginAuthorisation(
  client: OAuthClient,
  { redirectUri, loginHint }: { readonly redirectUri: string; readonly loginHint: string },
): PendingAuthorisation {
  const { scopes, authorisationParameters } = OAUTH_PROVIDERS[client.provider]
  const state = randomText()
  const codeVerifier = randomText()
  const url = new URL(client.authUrl)
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: base64Url(sha256(utf8ToBytes(codeVerifier))),
    code_challenge_method: 'S256',
    login_hint: loginHint,
    ...authorisationParameters,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { client, url: url.href, redirectUri, state, codeVerifier }
}

/** Whether a redirect answers this authorisation: any page in the browser could have sent one. */
export const isRedirectOf = (pending: PendingAuthorisation, query: URLSearchParams): boolean =>
  query.get('state') === pending.state

/** Redeems what the browser came back with, once `isRedirectOf` is true. Throws `upstream` where that is a refusal. */
export async function redeemRedirect(
  ctx: Needs<'outbound'>,
  pending: PendingAuthorisation,
  query: URLSearchParams,
): Promise<NewGrant> {
  const { client } = pending
  const code = query.get('code')
  if (code === null) throw upstream(refusal(client, query))
  const answer = await askTokenEndpoint(ctx, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: pending.redirectUri,
    code_verifier: pending.codeVerifier,
  })
  return grantIn(answer, client)
}

function refusal({ provider }: OAuthClient, query: URLSearchParams): string {
  const words = ['error', 'error_description'].map((name) => query.get(name)).filter(Boolean)
  return `${OAUTH_PROVIDERS[provider].name} gave no authorisation: ${words.join(': ') || 'no code'}`
}

const randomText = () => base64Url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)))

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
