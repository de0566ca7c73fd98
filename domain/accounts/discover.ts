import type { Needs } from '../../runtime/ports/runtime.ts'
import { fetchAutoconfig, fetchFromDatabase, fetchPlainAutoconfig } from './discovery/autoconfig.ts'
import { probeCommonNames } from './discovery/common-names.ts'
import { findByMx, findByServices } from './discovery/dns-records.ts'
import type { Attempt, DiscoverySource, FoundServer } from './discovery/finding.ts'
import { isWithin, mailAddress, type MailAddress } from './discovery/mail-domain.ts'
import { providerOfDomain } from './discovery/provider.ts'

/** A server that was chosen. */
export interface DiscoveredServer extends FoundServer {
  readonly source: DiscoverySource
  /**
   * False where the network could have named it, and it is outside of the address's domain: it may get the
   * password only when somebody agrees (RFC 6186 section 6).
   */
  readonly trusted: boolean
}

/** What the address alone tells. A server that was not found is absent. */
export interface Discovery {
  readonly email: string
  /** What was tried, in the order of preference. */
  readonly attempts: readonly Attempt[]
  readonly imap?: DiscoveredServer
  readonly smtp?: DiscoveredServer
  readonly hint?: string
}

type Ctx = Needs<'outbound' | 'dns' | 'mailProbe' | 'config'>
type Protocol = 'imap' | 'smtp'

/** Sources that anyone on the way could forge. */
const FORGEABLE: ReadonlySet<DiscoverySource> = new Set(['srv', 'plain-autoconfig'])

/**
 * Finds the servers of an address: known providers, the domain's configuration file, its MX, a database, service
 * records, then names tried by connecting. Later sources are asked only for what earlier ones left open. Only
 * secured servers are ever named. Throws `invalid_request` for what is no address.
 */
export async function discoverServers(ctx: Ctx, email: string): Promise<Discovery> {
  const address = mailAddress(email)
  const stages = [
    () => [Promise.resolve(providerOfDomain(address))],
    () => [...fetchAutoconfig(ctx, address), findByMx(ctx, address)],
    () => [
      ...database(ctx, address),
      findByServices(ctx, address),
      fetchPlainAutoconfig(ctx, address),
    ],
  ]
  let attempts: readonly Attempt[] = []
  for (const stage of stages) {
    attempts = [...attempts, ...(await Promise.all(stage()))]
    if (missing(attempts).length === 0) return discovery(address, attempts)
  }
  const probes = missing(attempts).flatMap((protocol) => probeCommonNames(ctx, address, protocol))
  return discovery(address, [...attempts, ...(await Promise.all(probes))])
}

const database = (ctx: Ctx, address: MailAddress) => {
  const pattern = ctx.config.autoconfigDatabase
  return pattern === undefined ? [] : [fetchFromDatabase(ctx, address, pattern)]
}

const missing = (attempts: readonly Attempt[]): readonly Protocol[] =>
  (['imap', 'smtp'] as const).filter((protocol) =>
    attempts.every(({ finding }) => finding?.[protocol] === undefined),
  )

function discovery(address: MailAddress, attempts: readonly Attempt[]): Discovery {
  const imapAttempt = attempts.find(({ finding }) => finding?.imap)
  // A source that knows both is believed in both.
  const smtpAttempt = [imapAttempt, ...attempts].find((attempt) => attempt?.finding?.smtp)
  const imap = chosen(imapAttempt, 'imap', address)
  const smtp = chosen(smtpAttempt, 'smtp', address)
  const hint = imapAttempt?.finding?.hint
  return {
    email: address.email,
    attempts,
    ...(imap && { imap }),
    ...(smtp && { smtp }),
    ...(hint !== undefined && { hint }),
  }
}

function chosen(
  attempt: Attempt | undefined,
  protocol: Protocol,
  { domain }: MailAddress,
): DiscoveredServer | undefined {
  const server = attempt?.finding?.[protocol]
  if (!attempt || !server) return undefined
  const trusted = !FORGEABLE.has(attempt.source) || isWithin(server.host, domain)
  return { ...server, source: attempt.source, trusted }
}
