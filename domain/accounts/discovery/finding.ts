import { serverAddress, type Protocol } from '../account-settings.ts'

/** A server as it was found: always secured, because the password goes there. */
export interface FoundServer {
  readonly host: string
  readonly port: number
  readonly tls: 'implicit' | 'starttls'
  readonly user: string
}

/** What a source says; a source may know of only one of the two. */
export interface Finding {
  readonly imap?: FoundServer
  readonly smtp?: FoundServer
  /** What people have to know before they log in there. */
  readonly hint?: string
}

export type DiscoverySource =
  | 'provider'
  | 'autoconfig'
  | 'mx'
  | 'database'
  | 'srv'
  | 'plain-autoconfig'
  | 'common-names'

/** One source that was asked, and what came of it. */
export interface Attempt {
  readonly source: DiscoverySource
  /** The domain, address or record that was looked up. */
  readonly where: string
  readonly outcome: 'found' | 'nothing' | 'failed'
  /** For people; absent where the outcome says all. */
  readonly detail?: string
  readonly finding?: Finding
}

/** The finding with what cannot be right left out; undefined when nothing remains. */
export function checkedFinding({ imap, smtp, hint }: Finding): Finding | undefined {
  const servers = {
    ...(imap && isPossible('imap', imap) && { imap }),
    ...(smtp && isPossible('smtp', smtp) && { smtp }),
  }
  if (!servers.imap && !servers.smtp) return undefined
  return { ...servers, ...(hint !== undefined && { hint }) }
}

function isPossible(protocol: Protocol, server: FoundServer): boolean {
  try {
    serverAddress(protocol, server, server.user)
    return true
  } catch {
    return false
  }
}
