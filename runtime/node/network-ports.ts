import type { AllowedNetworks } from '../../domain/outbound/refusal.ts'
import type { Runtime } from '../ports/runtime.ts'
import { loadedWhenUsed } from './loaded-when-used.ts'

/** The ports that go to hosts which somebody else named, each loaded when first used. */
export function networkPorts(
  networks: AllowedNetworks,
): Pick<Runtime, 'outbound' | 'dns' | 'mailProbe'> {
  const dialPolicy = async () => {
    const { systemLookup } = await import('./guarded-lookup.ts')
    return { networks, lookup: systemLookup }
  }
  const outbound = loadedWhenUsed(async () =>
    (await import('./outbound.ts')).nodeOutbound(await dialPolicy()),
  )
  const mailProbe = loadedWhenUsed(async () =>
    (await import('./mail-probe.ts')).nodeMailProbe(await dialPolicy()),
  )
  const dns = loadedWhenUsed(async () => (await import('./dns.ts')).nodeDns())
  return {
    outbound: { send: async (request, signal) => (await outbound.get()).send(request, signal) },
    dns: {
      mailExchangers: async (domain) => (await dns.get()).mailExchangers(domain),
      services: async (name) => (await dns.get()).services(name),
    },
    mailProbe: {
      probe: async (server, deadlineMs) => (await mailProbe.get()).probe(server, deadlineMs),
    },
  }
}
