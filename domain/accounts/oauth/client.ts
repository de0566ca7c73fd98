import type { Config } from '../../../runtime/ports/config.ts'
import { invalidRequest } from '../../errors.ts'
import { ENVIRONMENT_PREFIX } from '../../identity.ts'
import { OAUTH_PROVIDERS, type OAuthEndpoints, type OAuthProvider } from './providers.ts'

/** This program as a provider knows it (RFC 6749 section 2). */
export interface OAuthClient extends OAuthEndpoints {
  readonly provider: OAuthProvider
  readonly clientId: string
  readonly clientSecret?: string
}

/**
 * The client that the configuration names. Throws `invalid_request` where there is none, and says what to register
 * where.
 */
export function configuredClient(config: Config, provider: OAuthProvider): OAuthClient {
  const { clientId, clientSecret, ...endpoints } = config.oauth[provider]
  const { name, registration, authUrl, tokenUrl, deviceUrl } = OAUTH_PROVIDERS[provider]
  if (clientId === undefined) {
    const setting = `${ENVIRONMENT_PREFIX}OAUTH_${provider.toUpperCase()}_CLIENT`
    throw invalidRequest(
      `${name} lets in only programs that are registered, and this one brings no registration of its own: ` +
        `register ${registration}, then set ${setting}_ID and, where you got one, ${setting}_SECRET.`,
    )
  }
  return {
    authUrl,
    tokenUrl,
    deviceUrl,
    ...endpoints,
    provider,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
  }
}
