import { Resolver } from 'node:dns/promises'
import type { Dns, DnsAnswer } from '../ports/dns.ts'
import { connectionWords } from './connection-words.ts'

const TIMEOUT_MS = 2_000
const TRIES = 2

/** Asks the system's name servers, or `servers` such as `127.0.0.1:5353`. */
export function nodeDns(servers?: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  return {
    mailExchangers: (domain) =>
      answer(async () =>
        (await resolver.resolveMx(domain))
          .filter(({ exchange }) => exchange !== '' && exchange !== '.')
          .toSorted((one, other) => one.priority - other.priority)
          .map(({ exchange }) => exchange),
      ),
    services: (name) =>
      answer(async () =>
        (await resolver.resolveSrv(name))
          // A single dot says that the service does not exist (RFC 2782).
          .filter(({ name: host }) => host !== '' && host !== '.')
          .map(({ name: host, port, priority, weight }) => ({ host, port, priority, weight })),
      ),
  }
}

async function answer<Entry>(ask: () => Promise<readonly Entry[]>): Promise<DnsAnswer<Entry>> {
  try {
    return { ok: true, records: await ask() }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTFOUND' || code === 'ENODATA') return { ok: true, records: [] }
    return { ok: false, reason: connectionWords(error) }
  }
}
