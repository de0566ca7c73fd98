/** Who gives out grants for mailboxes. */
export type OAuthProvider = 'google' | 'microsoft'

/** Where the three requests of an authorisation go (RFC 6749 section 3, RFC 8628 section 3.1). */
export interface OAuthEndpoints {
  readonly authUrl: string
  readonly tokenUrl: string
  readonly deviceUrl: string
}

interface ProviderFacts extends OAuthEndpoints {
  readonly name: string
  readonly scopes: readonly string[]
  /** Those without which no mail can be read and sent. */
  readonly mailScopes: readonly string[]
  /** What the authorisation request has to say beyond the standard to get a refresh token. */
  readonly authorisationParameters: Readonly<Record<string, string>>
  /** Whether a device code can be for mail. */
  readonly hasDeviceCodes: boolean
  /** The name of this machine under which the provider accepts a redirect to any port (RFC 8252 section 7.3). */
  readonly redirectHost: '127.0.0.1' | 'localhost'
  /** Where and as what its owner registers this program. */
  readonly registration: string
}

export const OAUTH_PROVIDERS: Readonly<Record<OAuthProvider, ProviderFacts>> = {
  google: {
    name: 'Google',
    authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    deviceUrl: 'https://oauth2.googleapis.com/device/code',
    scopes: ['https://mail.google.com/', 'openid', 'email'],
    mailScopes: ['https://mail.google.com/'],
    authorisationParameters: { access_type: 'offline', prompt: 'consent' },
    hasDeviceCodes: false,
    redirectHost: '127.0.0.1',
    registration:
      'an OAuth client of the type "Desktop app" at https://console.cloud.google.com/apis/credentials',
  },
  microsoft: {
    name: 'Microsoft',
    authUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    deviceUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/devicecode',
    scopes: [
      'offline_access',
      'https://outlook.office.com/IMAP.AccessAsUser.All',
      'https://outlook.office.com/SMTP.Send',
    ],
    mailScopes: [
      'https://outlook.office.com/IMAP.AccessAsUser.All',
      'https://outlook.office.com/SMTP.Send',
    ],
    authorisationParameters: {},
    hasDeviceCodes: true,
    redirectHost: 'localhost',
    registration:
      'an app at https://entra.microsoft.com for "Mobile and desktop applications" with the redirect URI http://localhost, and allow public client flows',
  },
}
