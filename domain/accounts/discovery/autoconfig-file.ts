import { DomUtils, parseDocument } from 'htmlparser2'
import { checkedFinding, type Finding, type FoundServer } from './finding.ts'
import type { MailAddress } from './mail-domain.ts'

type Nodes = ReturnType<typeof parseDocument>['children']

/** What a client configuration file says (Thunderbird's autoconfig, draft-ietf-mailmaint-autoconfig). */
export interface AutoconfigFile {
  readonly finding: Finding | undefined
  /** The mail domains that the file says it is for. */
  readonly domains: readonly string[]
}

const TLS_OF_SOCKET: Readonly<Record<string, FoundServer['tls']>> = {
  SSL: 'implicit',
  TLS: 'implicit',
  STARTTLS: 'starttls',
}

/**
 * Reads a client configuration file: of each kind the first server that is secured. Never throws and obeys no
 * DOCTYPE, so entities of the file's own stay text. Undefined for anything that is no such file.
 */
export function readAutoconfigFile(xml: string, address: MailAddress): AutoconfigFile | undefined {
  const root = elements(parseDocument(xml, { xmlMode: true }).children, 'clientConfig')[0]
  const provider = root && elements(root.children, 'emailProvider')[0]
  if (!provider) return undefined
  const incoming = elements(provider.children, 'incomingServer')
  const imap = firstSecured(
    incoming.filter(({ attribs }) => attribs['type'] === 'imap'),
    address,
  )
  const smtp = firstSecured(elements(provider.children, 'outgoingServer'), address)
  return {
    finding: checkedFinding({
      ...(imap && { imap: imap.server }),
      ...(smtp && { smtp: smtp.server }),
      ...(imap?.needsOauth2 && { hint: 'it asks for OAuth2; a password may be refused' }),
    }),
    domains: elements(provider.children, 'domain').map((domain) =>
      fill(ownText(domain.children), address).toLowerCase(),
    ),
  }
}

function firstSecured(candidates: ReturnType<typeof elements>, address: MailAddress) {
  for (const { children } of candidates) {
    const text = (name: string) => ownText(elements(children, name)[0]?.children ?? [])
    const tls = TLS_OF_SOCKET[text('socketType')]
    const port = /^\d{1,5}$/.test(text('port')) ? Number(text('port')) : 0
    const host = fill(text('hostname'), address).toLowerCase().replace(/\.$/, '')
    const user = fill(text('username') || '%EMAILADDRESS%', address)
    const isComplete = host !== '' && !hasPlaceholder(host) && !hasPlaceholder(user)
    const ways = elements(children, 'authentication').map((way) => ownText(way.children))
    if (tls && port > 0 && isComplete)
      return {
        server: { host, port, tls, user },
        needsOauth2: ways.length > 0 && ways.every((way) => way === 'OAuth2'),
      }
  }
  return undefined
}

const elements = (nodes: Nodes, name: string) =>
  nodes.filter((node) => DomUtils.isTag(node)).filter((element) => element.name === name)

const ownText = (nodes: Nodes) =>
  nodes
    .map((node) => (DomUtils.isText(node) ? node.data : ''))
    .join('')
    .trim()

const PLACEHOLDERS = {
  '%EMAILADDRESS%': 'email',
  '%EMAILLOCALPART%': 'localPart',
  '%EMAILDOMAIN%': 'domain',
} as const

const fill = (text: string, address: MailAddress) =>
  text.replaceAll(
    /%EMAIL(?:ADDRESS|LOCALPART|DOMAIN)%/g,
    (found) => address[PLACEHOLDERS[found as keyof typeof PLACEHOLDERS]],
  )

const hasPlaceholder = (text: string) => /%[A-Z]+%/.test(text)
