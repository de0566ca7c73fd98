/** How this program is registered with a provider of OAuth2; an endpoint that is absent is the provider's usual one. */
export interface OAuthSettings {
  readonly clientId?: string
  readonly clientSecret?: string
  readonly authUrl?: string
  readonly tokenUrl?: string
  readonly deviceUrl?: string
}

/** The configuration (contract section 10), read once at start. */
export interface Config {
  readonly host: string
  readonly port: number
  /** The address people reach this instance at, without a trailing slash; for links and `details.url`. */
  readonly baseUrl: string
  readonly dataDir: string
  readonly databaseUrl: string
  readonly databaseToken?: string
  /** The key material for sealing secrets; absent: a file in the data directory. */
  readonly secret?: string
  readonly sidecarUrl?: string
  readonly sidecarSecret?: string
  /** Requests a minute per token; 0 means no limit. */
  readonly apiRateLimit: number
  readonly licenceKey?: string
  readonly webhookNetworks: 'private' | 'public'
  /** Where mail settings are looked up by domain; `{domain}` stands for it. Absent: nowhere. */
  readonly autoconfigDatabase?: string
  readonly oauth: { readonly google: OAuthSettings; readonly microsoft: OAuthSettings }
  readonly externalBurstLimit: number
  readonly corsOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** Whether the REST API and the agent server are offered at all. */
  readonly automation: boolean
}
