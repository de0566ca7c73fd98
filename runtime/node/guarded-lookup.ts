import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { addressRefusal, type AllowedNetworks } from '../../domain/outbound/refusal.ts'

/** An address that may not be dialled. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

/** All addresses of a host. */
export type LookupAll = (host: string) => Promise<readonly string[]>

/** As the system does it, its hosts file and local names included. */
export const systemLookup: LookupAll = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** Which addresses may be dialled, and how hosts become addresses. */
export interface DialPolicy {
  readonly networks: AllowedNetworks
  readonly lookup: LookupAll
}

/**
 * The lookup of a socket: asks once, judges the whole answer, and hands over nothing else. One refused address
 * refuses the host. A socket to a literal address never asks: see `requireAllowedLiteral`.
 */
export function guardedLookup(policy: DialPolicy): LookupFunction {
  const judged = callbackify((host: string) => judgedAddresses(host, policy))
  return (host, options, done) =>
    judged(host, (error, addresses) => {
      if (error) done(error, [])
      else if (options.all === true) done(null, addresses)
      else done(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
}

async function judgedAddresses(host: string, policy: DialPolicy) {
  const addresses = await policy.lookup(host)
  if (addresses.length === 0) throw new Error(`${host} has no address`)
  for (const address of addresses) {
    const refusal = addressRefusal(address, policy.networks)
    if (refusal !== undefined) throw new RefusedAddress(`${host}: ${refusal}`)
  }
  return addresses.map((address) => ({ address, family: isIP(address) }))
}

/** Throws `RefusedAddress` for a host that is itself an address and may not be dialled. */
export function requireAllowedLiteral(host: string, policy: DialPolicy): void {
  if (isIP(host) === 0) return
  const refusal = addressRefusal(host, policy.networks)
  if (refusal !== undefined) throw new RefusedAddress(refusal)
}
