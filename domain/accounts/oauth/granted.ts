import { upstream } from '../../errors.ts'
import type { OAuthClient } from './client.ts'
import { OAUTH_PROVIDERS } from './providers.ts'
import type { IssuedTokens, TokenAnswer } from './token-answer.ts'

/** What an authorisation gave: everything to log in with, now and later. */
export interface NewGrant {
  readonly client: OAuthClient
  readonly tokens: IssuedTokens & { readonly refreshToken: string }
}

/** The grant in the answer to the last request of an authorisation; throws `upstream` for anything less. */
export function grantIn(answer: TokenAnswer, client: OAuthClient): NewGrant {
  const { name, mailScopes } = OAUTH_PROVIDERS[client.provider]
  if (answer.kind === 'denied') throw upstream(`${name} gave no authorisation: ${answer.words}`)
  if (answer.kind === 'failed')
    throw upstream(`The token endpoint of ${name} failed: ${answer.words}`)
  const { tokens } = answer
  if (tokens.scope !== undefined && !includesAll(tokens.scope, mailScopes))
    throw upstream(`${name} gave an authorisation that does not include mail: allow it when asked.`)
  const { refreshToken } = tokens
  if (refreshToken === undefined)
    throw upstream(`${name} gave an authorisation that ends within the hour: no refresh token.`)
  return { client, tokens: { ...tokens, refreshToken } }
}

function includesAll(granted: string, wanted: readonly string[]): boolean {
  const scopes = new Set(granted.toLowerCase().split(/\s+/).filter(Boolean))
  return wanted.every((scope) => namesOf(scope.toLowerCase()).some((name) => scopes.has(name)))
}

/** Microsoft may leave out the resource that a scope belongs to. */
const namesOf = (scope: string) => [scope, scope.slice(scope.lastIndexOf('/') + 1)]
