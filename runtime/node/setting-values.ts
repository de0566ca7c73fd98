import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A host name (RFC 1123) or an IP address, without a port. */
export const isHost = (text: string) =>
  isIP(text) !== 0 ||
  (text.length <= 253 && /^[a-z0-9]([a-z0-9-]{0,62})(\.[a-z0-9]([a-z0-9-]{0,62}))*\.?$/i.test(text))

export const hasProtocol = (text: string, protocols: readonly string[]) => {
  const url = URL.parse(text)
  return url !== null && protocols.includes(url.protocol) && url.hostname !== ''
}

/** Where secrets may be posted to: https, or this machine. */
export const isSecretUrl = (text: string) => {
  if (hasProtocol(text, ['https:'])) return true
  const host = URL.parse(text)?.hostname ?? ''
  return hasProtocol(text, ['http:']) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)
}

/** Where a server can listen and be reached at: http, host and port. */
export const isListeningUrl = (text: string) => {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'http:' || url.username !== '') return false
  return url.port !== '' && url.pathname === '/' && url.search === '' && url.hash === ''
}

/** `file:` and a path, absolute or not, without a host: the forms that libSQL knows. */
export const isFileUrl = (text: string) =>
  /^file:(\/\/(?=\/))?[^?#]*[^/?#]$/.test(text) && !/^file:\/\/[^/]/.test(text)

/** The absolute form of a file URL. */
export const fileUrl = (text: string) =>
  pathToFileURL(resolve(decodeURIComponent(text.replace(/^file:(\/\/(?=\/))?/, '')))).href

/** An origin as browsers send it (RFC 6454 section 6.1). */
export const isOrigin = (text: string) =>
  hasProtocol(text, ['http:', 'https:']) && URL.parse(text)?.origin === text

/** An IP address, alone or with the length of a network's prefix (RFC 4632). */
export const isNetwork = (text: string) => {
  const [address = '', prefix] = text.split('/', 2)
  const version = isIP(address)
  if (version === 0 || text.split('/').length > 2) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}

/** The URL that reaches a server listening on `host`: one that listens on every address is on this machine too. */
export function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}
