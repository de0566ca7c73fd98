import type { ProbedServer } from '../../../runtime/ports/mail-probe.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { DEFAULT_PORTS } from '../default-ports.ts'
import type { Attempt } from './finding.ts'
import type { MailAddress } from './mail-domain.ts'

const DEADLINE_MS = 6_000
const NAMES = { imap: ['imap', 'mail'], smtp: ['smtp', 'mail'] } as const

/** Connects to the names that mail servers usually have, all at once; the order is that of preference. */
export function probeCommonNames(
  { mailProbe }: Needs<'mailProbe'>,
  { domain, email }: MailAddress,
  protocol: 'imap' | 'smtp',
): readonly Promise<Attempt>[] {
  return candidates(domain, protocol).map(async (server): Promise<Attempt> => {
    const { host, port, tls } = server
    const asked = { source: 'common-names', where: `${host}:${port}` } as const
    const result = await mailProbe.probe(server, DEADLINE_MS)
    if (!result.ok) return { ...asked, outcome: 'nothing', detail: result.reason }
    return { ...asked, outcome: 'found', finding: { [protocol]: { host, port, tls, user: email } } }
  })
}

const candidates = (domain: string, protocol: 'imap' | 'smtp'): readonly ProbedServer[] =>
  (['implicit', 'starttls'] as const).flatMap((tls) =>
    NAMES[protocol].map((name) => ({
      protocol,
      host: `${name}.${domain}`,
      port: DEFAULT_PORTS[protocol][tls],
      tls,
    })),
  )
