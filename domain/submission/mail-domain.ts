/** A label of letters, marks and digits of any script, with hyphens inside (RFC 5890 section 2.3). */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u
const ASCII_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const IPV4_LITERAL = /^\[(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!\])|(?=\]))){4}\]$/
const IPV6_LITERAL = /^\[IPv6:([0-9a-f:.]+)\]$/i
const DOMAIN_OCTETS_MAX = 255

/**
 * A domain as it stands on the wire, in ASCII and lower case (RFC 5891), or an address literal (RFC 5321 section
 * 4.1.3); undefined for what can be neither.
 */
export function mailDomain(written: string): string | undefined {
  if (written.startsWith('[')) return isAddressLiteral(written) ? written : undefined
  const domain = written.normalize('NFC')
  if (!domain.split('.').every((label) => LABEL.test(label))) return undefined
  const labels = asciiOf(domain)?.split('.') ?? []
  // Names end with letters; what ends with digits is an IP address without its brackets.
  if (!labels.every((label) => ASCII_LABEL.test(label)) || /^\d*$/.test(labels.at(-1) ?? '')) {
    return undefined
  }
  const ascii = labels.join('.')
  return ascii.length > DOMAIN_OCTETS_MAX ? undefined : ascii
}

/** An address whose domain is in ASCII where that can be; what is before the @ stays as it is. */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${mailDomain(domain) ?? domain}`
}

function asciiOf(domain: string): string | undefined {
  const url = `http://${domain}`
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

function isAddressLiteral(literal: string): boolean {
  const [, ipv6] = IPV6_LITERAL.exec(literal) ?? []
  return ipv6 === undefined ? IPV4_LITERAL.test(literal) : URL.canParse(`http://[${ipv6}]`)
}
