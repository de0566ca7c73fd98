import type { Config } from '../../runtime/ports/config.ts'
import { invalidRequest } from '../errors.ts'
import { addressRefusal, urlRefusal } from '../outbound/refusal.ts'

/**
 * The URL as it was given, if it can be that of a receiver (contract section 6). Names are judged when they are
 * dialled: what they stand for may change. Throws `invalid_request`.
 */
export function checkedUrl(text: string, { webhookNetworks }: Pick<Config, 'webhookNetworks'>) {
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text)
  if (url === null) throw invalidRequest('url: must be an absolute http or https URL.')
  const refusal = urlRefusal(url) ?? hostRefusal(url.hostname, webhookNetworks)
  if (refusal !== undefined) throw invalidRequest(`url: ${refusal}.`)
  return text
}

/** A parsed URL has its addresses in one form each: IPv6 in brackets, IPv4 as four numbers. */
function hostRefusal(hostname: string, networks: Config['webhookNetworks']): string | undefined {
  const isLocal = /(^|\.)localhost\.?$/.test(hostname)
  const address = isLocal ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, '')
  return isLocal || address !== hostname || /^\d+(\.\d+){3}$/.test(address)
    ? addressRefusal(address, networks)
    : undefined
}
