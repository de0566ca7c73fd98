import ipaddr from 'ipaddr.js'

/** What kind of network an IP address belongs to. */
export type AddressClass =
  | 'public'
  | 'loopback'
  | 'private'
  | 'carrier-grade NAT'
  | 'link-local'
  | 'metadata'
  | 'unspecified'
  | 'multicast'
  | 'reserved'

/** Where clouds hand out credentials, outside of link-local addresses. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:42::42',
  'fd00:ec2::254',
  'fd20:ce::254',
])

/** Names of ipaddr.js; whatever is not here is reserved. */
const CLASS_OF_RANGE: Readonly<Record<string, AddressClass>> = {
  unicast: 'public',
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'carrier-grade NAT',
  linkLocal: 'link-local',
  multicast: 'multicast',
  unspecified: 'unspecified',
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96')
const DOCUMENTATION = ipaddr.parseCIDR('3fff::/20')

/**
 * The class of an IP address in any written form, with or without a zone. An IPv4-mapped address is judged as the
 * IPv4 address it reaches; addresses that tunnel or translate to another one, and text that is none, are reserved.
 */
export function addressClass(address: string): AddressClass {
  if (!ipaddr.isValid(address)) return 'reserved'
  const parsed = ipaddr.process(address)
  if (METADATA_ADDRESSES.has(withoutZone(parsed))) return 'metadata'
  const found = CLASS_OF_RANGE[parsed.range()] ?? 'reserved'
  return parsed instanceof ipaddr.IPv6 && !isAssigned(parsed, found) ? 'reserved' : found
}

const withoutZone = (address: ipaddr.IPv4 | ipaddr.IPv6) => address.toString().replace(/%.*/, '')

/** Only 2000::/3 has been given out to the public, and IPv4-compatible addresses were taken back (RFC 4291). */
function isAssigned(address: ipaddr.IPv6, found: AddressClass): boolean {
  if (found === 'public') return address.match(GLOBAL_UNICAST) && !address.match(DOCUMENTATION)
  return (
    withoutZone(address) === '::1' ||
    withoutZone(address) === '::' ||
    !address.match(IPV4_COMPATIBLE)
  )
}
