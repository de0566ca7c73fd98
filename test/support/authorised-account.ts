import { onTestFinished } from 'vitest'
import type { NewAccount } from '../../domain/accounts/add.ts'
import type { NewGrant } from '../../domain/accounts/oauth/granted.ts'
import { addAccountByGrant } from '../../domain/accounts/oauth/add-account.ts'
import { memoryWake } from '../../runtime/memory/wake.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import { networkPorts } from '../../runtime/node/network-ports.ts'
import { aesSecretBox } from '../../runtime/node/secret-box.ts'
import { LabOAuthProvider } from '../lab/oauth-provider.ts'
import { temporaryStore } from './database.ts'

const SERVER = { host: 'mail.example.com' }

interface Wanted {
  readonly provider: LabOAuthProvider
  readonly expiresInS: number
  readonly account?: Partial<NewAccount>
}

/** A store with the account `Ada`, which has just been authorised; its access token is good for so many seconds. */
export async function authorisedAccount({ provider, expiresInS, account }: Wanted) {
  const { store, directory, remove } = await temporaryStore()
  onTestFinished(remove)
  const ctx = {
    store,
    secretBox: aesSecretBox(new Uint8Array(32).fill(1)),
    clock: systemClock,
    wake: memoryWake(),
    outbound: networkPorts('private').outbound,
  }
  const added = { email: 'ada@example.com', name: 'Ada', imap: SERVER, smtp: SERVER, ...account }
  /** Another grant of the same mailbox. */
  const newGrant = (forS: number): NewGrant => ({
    client: {
      provider: 'google',
      clientId: provider.client.id,
      clientSecret: provider.client.secret,
      authUrl: `${provider.url}/authorise`,
      tokenUrl: `${provider.url}/token`,
      deviceUrl: `${provider.url}/device`,
    },
    tokens: { ...provider.issue(added.email), expiresInMs: forS * 1_000 },
  })
  const grant = newGrant(expiresInS)
  const { id } = await addAccountByGrant(ctx, added, grant)
  return { ctx, id, newGrant, firstToken: grant.tokens.accessToken, directory }
}

/** The same, with a provider of its own. */
export async function authorised(expiresInS: number) {
  const provider = await LabOAuthProvider.start()
  onTestFinished(() => provider.stop())
  return { provider, ...(await authorisedAccount({ provider, expiresInS })) }
}
