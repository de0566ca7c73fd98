import type { OutboundReply } from '../../../runtime/ports/outbound.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { readAutoconfigFile } from './autoconfig-file.ts'
import type { Attempt, DiscoverySource } from './finding.ts'
import { isWithin, type MailAddress } from './mail-domain.ts'

const LIMITS = { deadlineMs: 6_000, replyBytesMax: 256 * 1024, redirectsMax: 2 }

type Ctx = Needs<'outbound'>

/** The domain's own configuration file, from servers that prove to be the domain's. They get the address. */
export function fetchAutoconfig(ctx: Ctx, address: MailAddress): readonly Promise<Attempt>[] {
  const { domain, email } = address
  const query = `?emailaddress=${encodeURIComponent(email)}`
  return [
    `https://autoconfig.${domain}/mail/config-v1.1.xml`,
    `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`,
  ].map((url) => fetchFile(ctx, address, { source: 'autoconfig', where: url, query }))
}

/** The same without TLS, as many hosters still serve it: the network learns the domain, and may have lied. */
export function fetchPlainAutoconfig(ctx: Ctx, address: MailAddress): Promise<Attempt> {
  const where = `http://autoconfig.${address.domain}/mail/config-v1.1.xml`
  return fetchFile(ctx, address, { source: 'plain-autoconfig', where, query: '' })
}

/** A database of configuration files, which learns the domain; an answer for other domains counts as none. */
export async function fetchFromDatabase(
  ctx: Ctx,
  address: MailAddress,
  pattern: string,
): Promise<Attempt> {
  const where = pattern.replaceAll('{domain}', address.domain)
  return fetchFile(ctx, address, { source: 'database', where, query: '' })
}

async function fetchFile(
  { outbound }: Ctx,
  address: MailAddress,
  ask: { readonly source: DiscoverySource; readonly where: string; readonly query: string },
): Promise<Attempt> {
  const { source, where, query } = ask
  const reply = await outbound.send({
    method: 'GET',
    url: where + query,
    headers: { accept: 'application/xml, text/xml' },
    limits: LIMITS,
  })
  return { source, where, ...outcome(reply, address, source === 'database') }
}

function outcome(
  reply: OutboundReply,
  address: MailAddress,
  mustNameDomain: boolean,
): Pick<Attempt, 'outcome' | 'detail' | 'finding'> {
  if (reply.status === null) return { outcome: 'failed', detail: reply.reason }
  if (reply.status !== 200) return { outcome: 'nothing', detail: `status ${reply.status}` }
  if (reply.truncated) return { outcome: 'failed', detail: 'the file is too large' }
  const file = readAutoconfigFile(new TextDecoder().decode(reply.body), address)
  if (!file) return { outcome: 'nothing', detail: 'the answer is no configuration file' }
  const isOurs = file.domains.some((domain) => isWithin(address.domain, domain))
  if (mustNameDomain && !isOurs)
    return { outcome: 'nothing', detail: 'the file is for other domains' }
  if (!file.finding) return { outcome: 'nothing', detail: 'the file names no secured IMAP or SMTP' }
  return { outcome: 'found', finding: file.finding }
}
