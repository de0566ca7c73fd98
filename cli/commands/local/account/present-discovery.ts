import type { DiscoveredServer, Discovery } from '../../../../domain/accounts/discover.ts'
import { oneLine } from '../../../output.ts'
import { serverText } from './present.ts'

const SOURCES = {
  provider: 'known provider',
  autoconfig: 'configuration file',
  mx: 'provider by MX',
  database: 'database',
  srv: 'service records',
  'plain-autoconfig': 'configuration file without TLS',
  'common-names': 'common name',
} as const satisfies Record<DiscoveredServer['source'], string>

const OUTCOMES = { found: 'found', nothing: 'nothing', failed: 'failed' } as const

/** One line about one source. */
export function attemptLine({
  source,
  where,
  outcome,
  detail,
}: Discovery['attempts'][number]): string {
  const said = detail === undefined ? '' : `: ${detail}`
  return oneLine(`Tried ${SOURCES[source]} ${where}: ${OUTCOMES[outcome]}${said}`)
}

/** One line for each server, and what people have to know before they log in. */
export const discoveryLines = ({ imap, smtp, hint }: Discovery): readonly string[] => [
  `IMAP: ${serverLine(imap)}`,
  `SMTP: ${serverLine(smtp)}`,
  ...(hint === undefined ? [] : [`Note: ${hint}`]),
]

function serverLine(server: DiscoveredServer | undefined): string {
  if (!server) return 'not found'
  const doubt = server.trusted ? '' : ', which the network could have forged'
  return oneLine(
    `${serverText(server)}, user ${server.user} (by ${SOURCES[server.source]}${doubt})`,
  )
}
