import {
  beginAuthorisation,
  isRedirectOf,
  redeemRedirect,
} from '../../../../domain/accounts/oauth/authorisation-code.ts'
import type { OAuthClient } from '../../../../domain/accounts/oauth/client.ts'
import {
  awaitDeviceAuthorisation,
  beginDeviceAuthorisation,
} from '../../../../domain/accounts/oauth/device-code.ts'
import type { NewGrant } from '../../../../domain/accounts/oauth/granted.ts'
import { refuseOtherMailbox } from '../../../../domain/accounts/oauth/mailbox-of-grant.ts'
import { OAUTH_PROVIDERS } from '../../../../domain/accounts/oauth/providers.ts'
import type { LocalRuntime } from '../../../../runtime/entries/local.ts'
import { note, oneLine } from '../../../output.ts'
import { listenForRedirect } from './loopback-redirect.ts'

/** The mailbox that a grant is wanted for, and how. */
interface Wanted {
  readonly email: string
  /** Who logs in to IMAP. */
  readonly user: string
  readonly device: true | undefined
}

/** Asks the owner of the mailbox for a grant; opens nothing. Throws when it is refused or for another mailbox. */
export async function gainGrant(
  runtime: LocalRuntime,
  client: OAuthClient,
  wanted: Wanted,
): Promise<NewGrant> {
  const grant = wanted.device
    ? await byDeviceCode(runtime, client)
    : await byBrowser(runtime, client, wanted.user)
  refuseOtherMailbox(grant, [...new Set([wanted.email, wanted.user])])
  return grant
}

async function byDeviceCode(runtime: LocalRuntime, client: OAuthClient): Promise<NewGrant> {
  const pending = await beginDeviceAuthorisation(runtime, client)
  note(oneLine(`Open ${pending.verificationUrl} on any device and enter ${pending.userCode}`))
  return awaitDeviceAuthorisation(runtime, pending)
}

async function byBrowser(
  runtime: LocalRuntime,
  client: OAuthClient,
  loginHint: string,
): Promise<NewGrant> {
  const listener = await listenForRedirect()
  try {
    const { redirectHost } = OAUTH_PROVIDERS[client.provider]
    const { port } = listener
    const redirectUri = `http://${redirectHost}:${port}`
    const pending = beginAuthorisation(client, { redirectUri, loginHint })
    note(`Open ${pending.url}`)
    note('in a browser on this machine. The answer of one elsewhere gets here through')
    note(`ssh -L ${port}:127.0.0.1:${port} and the name of this machine.`)
    const query = await listener.redirect((candidate) => isRedirectOf(pending, candidate))
    return await redeemRedirect(runtime, pending, query)
  } finally {
    listener.close()
  }
}
