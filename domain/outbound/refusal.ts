import { ENVIRONMENT_PREFIX } from '../identity.ts'
import { addressClass } from './address-class.ts'

/** Whether addresses in networks of one's own may be reached. */
export type AllowedNetworks = 'private' | 'public'

/**
 * Why a connection to this IP address is not made; undefined when it is. Loopback, private and carrier-grade NAT
 * addresses are a matter of configuration, all other special ones are never dialled (contract section 6).
 */
export function addressRefusal(address: string, networks: AllowedNetworks): string | undefined {
  const found = addressClass(address)
  switch (found) {
    case 'public':
      return undefined
    case 'loopback':
    case 'private':
    case 'carrier-grade NAT':
      return networks === 'private'
        ? undefined
        : `${address} is a ${found} address, which ${ENVIRONMENT_PREFIX}WEBHOOK_NETWORKS=public refuses`
    case 'link-local':
    case 'metadata':
    case 'unspecified':
    case 'multicast':
    case 'reserved':
      return `${address} is a ${found} address, which is never allowed`
    default:
      return found satisfies never
  }
}

/** Why this URL is not fetched, whatever its host resolves to; undefined when it is. */
export function urlRefusal(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'only http and https are allowed'
  if (url.username !== '' || url.password !== '') return 'a user name in the URL is not allowed'
  if (url.port === '0') return 'port 0 cannot be reached'
  return undefined
}
