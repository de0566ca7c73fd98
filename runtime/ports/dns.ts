/** What the name service said: no records is an answer, `reason` says why there is none. */
export type DnsAnswer<Entry> =
  | { readonly ok: true; readonly records: readonly Entry[] }
  | { readonly ok: false; readonly reason: string }

/** A service record (RFC 2782). */
export interface ServiceRecord {
  readonly host: string
  readonly port: number
  readonly priority: number
  readonly weight: number
}

/** Records of the domain name system other than addresses. Unauthenticated: whoever holds the network can write them. */
export interface Dns {
  /** Hosts that take mail for `domain`, the preferred ones first; none for a domain without mail (RFC 7505). */
  mailExchangers(domain: string): Promise<DnsAnswer<string>>
  /** Such as `_imaps._tcp.example.org`, in any order; none where the service is said not to exist. */
  services(name: string): Promise<DnsAnswer<ServiceRecord>>
}
