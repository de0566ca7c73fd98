import type { Dns, ServiceRecord } from '../../../runtime/ports/dns.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { checkedFinding, type Attempt, type Finding, type FoundServer } from './finding.ts'
import type { MailAddress } from './mail-domain.ts'
import { providerOfMx } from './provider.ts'

/** The provider that takes the domain's mail. The servers come from our table, so a forged record gains nothing. */
export async function findByMx({ dns }: Needs<'dns'>, address: MailAddress): Promise<Attempt> {
  const asked = { source: 'mx', where: address.domain } as const
  const answer = await dns.mailExchangers(address.domain)
  if (!answer.ok) return { ...asked, outcome: 'failed', detail: answer.reason }
  const [host] = answer.records
  if (host === undefined)
    return { ...asked, outcome: 'nothing', detail: 'the domain takes no mail' }
  const provider = providerOfMx(address, host)
  if (!provider) return { ...asked, outcome: 'nothing', detail: `${host} is no provider we know` }
  return { ...asked, outcome: 'found', detail: provider.name, finding: provider.finding }
}

/** In the order of preference: TLS from the first byte comes first (RFC 8314 section 3). */
const SERVICES = {
  imap: [
    ['_imaps._tcp', 'implicit'],
    ['_imap._tcp', 'starttls'],
  ],
  smtp: [
    ['_submissions._tcp', 'implicit'],
    ['_submission._tcp', 'starttls'],
  ],
} as const

/** Service records of the domain (RFC 6186, RFC 8314). */
export async function findByServices(
  { dns }: Needs<'dns'>,
  address: MailAddress,
): Promise<Attempt> {
  const asked = { source: 'srv', where: address.domain } as const
  const [imap, smtp] = await Promise.all([
    findService(dns, address, 'imap'),
    findService(dns, address, 'smtp'),
  ])
  const finding = checkedFinding({ ...imap.found, ...smtp.found })
  if (finding) return { ...asked, outcome: 'found', finding }
  const failure = imap.failure ?? smtp.failure
  return failure === undefined
    ? { ...asked, outcome: 'nothing' }
    : { ...asked, outcome: 'failed', detail: failure }
}

async function findService(
  dns: Dns,
  { domain, email }: MailAddress,
  protocol: 'imap' | 'smtp',
): Promise<{ readonly found?: Finding; readonly failure?: string }> {
  const answers = await Promise.all(
    SERVICES[protocol].map(async ([service, tls]) => ({
      tls,
      answer: await dns.services(`${service}.${domain}`),
    })),
  )
  for (const { tls, answer } of answers) {
    const best = answer.ok ? answer.records.toSorted(byPreference)[0] : undefined
    if (best) return { found: { [protocol]: server(best, tls, email) } }
  }
  const failed = answers.find(({ answer }) => !answer.ok)?.answer
  return failed && !failed.ok ? { failure: failed.reason } : {}
}

const server = (
  { host, port }: ServiceRecord,
  tls: FoundServer['tls'],
  user: string,
): FoundServer => ({ host: host.toLowerCase().replace(/\.$/, ''), port, tls, user })

/** RFC 2782 spreads load by chance among equals; settings that are stored are better the same every time. */
const byPreference = (one: ServiceRecord, other: ServiceRecord) =>
  one.priority - other.priority || other.weight - one.weight
