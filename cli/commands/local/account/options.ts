import type { OAuthProvider } from '../../../../domain/accounts/oauth/providers.ts'
import type { TlsMode } from '../../../../runtime/ports/mail-server.ts'

/** Of every command. */
export interface OutputOptions {
  readonly json?: true
}

/** Of `svc account add` and `svc account set`. */
export interface ServerOptions extends OutputOptions {
  readonly email?: string
  readonly name?: string
  readonly imapHost?: string
  readonly imapPort?: number
  readonly imapTls?: TlsMode
  readonly imapUser?: string
  readonly smtpHost?: string
  readonly smtpPort?: number
  readonly smtpTls?: TlsMode
  readonly smtpUser?: string
  readonly passwordStdin?: true
  /** Days. */
  readonly keepSources?: number | 'all'
  readonly test: boolean
}

/** Of `svc account add`. */
export interface AddOptions extends ServerOptions {
  readonly oauth?: OAuthProvider
  readonly device?: true
}

/** Of `svc account authorise`. */
export interface AuthoriseOptions extends OutputOptions {
  readonly oauth?: OAuthProvider
  readonly device?: true
}

/** Of `svc account set`. */
export interface SetOptions extends ServerOptions {
  readonly newPassword?: true
  readonly transcript?: 'on' | 'off'
  readonly sentCopy?: 'auto' | 'always' | 'never'
}

/** Of `svc account folders`. */
export interface FoldersOptions extends OutputOptions {
  readonly watch?: readonly string[]
  readonly unwatch?: readonly string[]
}
