import type { ServerInput } from '../../../../domain/accounts/account-settings.ts'
import { discoverServers, type DiscoveredServer } from '../../../../domain/accounts/discover.ts'
import type { LocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { note } from '../../../output.ts'
import { confirm } from '../../../ask.ts'
import type { ServerOptions } from './options.ts'
import { attemptLine, discoveryLines } from './present-discovery.ts'
import { serverInput } from './server-input.ts'

interface Servers {
  readonly imap: ServerInput
  readonly smtp: ServerInput
}

/** Both servers of a new account: what the options say, completed by what the address tells. */
export async function serversFor(runtime: LocalRuntime, options: ServerOptions): Promise<Servers> {
  const imap = serverInput(options, 'imap')
  const smtp = serverInput(options, 'smtp')
  if (hasHost(imap) && hasHost(smtp)) return { imap, smtp }
  requireHostFor(options)
  const discovery = await discoverServers(runtime, options.email ?? '')
  for (const attempt of discovery.attempts) note(attemptLine(attempt))
  for (const line of discoveryLines(discovery)) note(line)
  const used = [
    hasHost(imap) ? undefined : discovery.imap,
    hasHost(smtp) ? undefined : discovery.smtp,
  ]
  await requireTrust(used.filter((server) => server !== undefined))
  return {
    imap: hasHost(imap) ? imap : { ...found(discovery.imap, 'imap'), ...imap },
    smtp: hasHost(smtp) ? smtp : { ...found(discovery.smtp, 'smtp'), ...smtp },
  }
}

const hasHost = (server: Partial<ServerInput>): server is ServerInput => server.host !== undefined

/** A port or TLS mode of a server that is yet to be found would be mixed with another's. */
function requireHostFor(options: ServerOptions): void {
  for (const protocol of ['imap', 'smtp'] as const) {
    const { host, port, tls } = serverInput(options, protocol)
    if (host === undefined && (port !== undefined || tls !== undefined))
      throw new CommandFailed(
        `--${protocol}-port and --${protocol}-tls need --${protocol}-host.`,
        EXIT.usage,
      )
  }
}

function found(server: DiscoveredServer | undefined, protocol: 'imap' | 'smtp'): ServerInput {
  if (!server)
    throw new CommandFailed(
      `No ${protocol.toUpperCase()} server was found: name it with --${protocol}-host.`,
    )
  const { host, port, tls, user } = server
  return { host, port, tls, user }
}

async function requireTrust(servers: readonly DiscoveredServer[]): Promise<void> {
  const doubtful = servers.filter(({ trusted }) => !trusted).map(({ host }) => host)
  if (doubtful.length === 0) return
  const hosts = [...new Set(doubtful)].join(' and ')
  if (!process.stdin.isTTY)
    throw new CommandFailed(
      `Whoever holds the network could have named ${hosts}: give --imap-host and --smtp-host to use it.`,
    )
  if (!(await confirm(`Whoever holds the network could have named ${hosts}. Is it right?`)))
    throw new CommandFailed('The account was not added.')
}
