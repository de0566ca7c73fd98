import { DEFAULT_PORTS } from '../default-ports.ts'
import type { Attempt, Finding, FoundServer } from './finding.ts'
import { isWithin, type MailAddress } from './mail-domain.ts'
import { PROVIDERS, type Provider } from './providers.ts'

/** The servers of the provider whose addresses have this domain. */
export function providerOfDomain(address: MailAddress): Attempt {
  const asked = { source: 'provider', where: address.domain } as const
  const provider = PROVIDERS.find(({ domains }) => domains.includes(address.domain))
  if (!provider) return { ...asked, outcome: 'nothing' }
  const user = provider.imapUserIsLocalPart ? address.localPart : address.email
  return {
    ...asked,
    outcome: 'found',
    detail: provider.name,
    finding: finding(provider, address, user),
  }
}

/** The servers of the provider that takes the domain's mail, by its preferred host. */
export function providerOfMx(
  address: MailAddress,
  host: string,
): { readonly name: string; readonly finding: Finding } | undefined {
  const provider = PROVIDERS.find(({ mx }) => mx.some((end) => isWithin(host, end)))
  return provider && { name: provider.name, finding: finding(provider, address, address.email) }
}

const finding = (provider: Provider, { email }: MailAddress, imapUser: string): Finding => ({
  imap: server('imap', provider.imap, imapUser),
  smtp: server('smtp', provider.smtp, email),
  ...(provider.hint !== undefined && { hint: provider.hint }),
})

function server(protocol: 'imap' | 'smtp', text: string, user: string): FoundServer {
  const [, host = '', port, starttls] = /^([^:]+)(?::(\d+))?( starttls)?$/.exec(text) ?? []
  const tls = starttls === undefined ? 'implicit' : 'starttls'
  return { host, port: Number(port ?? DEFAULT_PORTS[protocol][tls]), tls, user }
}
