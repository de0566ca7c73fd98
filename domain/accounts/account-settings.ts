import type { TlsMode } from '../../runtime/ports/mail-server.ts'
import { invalidRequest } from '../errors.ts'
import { DEFAULT_PORTS } from './default-ports.ts'

/** How a server of an account is reached, without the password. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly tls: TlsMode
  readonly user: string
}

/** What somebody enters of a server: the port follows the TLS mode, and the user is the address, unless given. */
export interface ServerInput {
  readonly host: string
  readonly port?: number
  readonly tls?: TlsMode
  readonly user?: string
}

export type Protocol = keyof typeof DEFAULT_PORTS

/** Letters of any script: the resolver knows what to make of them (RFC 5890). */
const HOST_NAME = /^[\p{L}\p{N}._-]{1,253}$/u
const IPV6_ADDRESS = /^(?=.*:.*:)[0-9a-f:.]{2,45}$/i
const NAME_LENGTH_MAX = 200
const TEXT_LENGTH_MAX = 512
/** A century. */
const SOURCE_DAYS_MAX = 36_500

/** Completes and checks a server; throws `invalid_request`. */
export function serverAddress(
  protocol: Protocol,
  input: ServerInput,
  defaultUser: string,
): ServerAddress {
  const label = protocol.toUpperCase()
  const tls = input.tls ?? 'implicit'
  const address = {
    host: input.host.trim(),
    port: input.port ?? DEFAULT_PORTS[protocol][tls],
    tls,
    user: input.user ?? defaultUser,
  }
  if (!HOST_NAME.test(address.host) && !IPV6_ADDRESS.test(address.host))
    throw invalidRequest(`The ${label} host must be a host name or an IP address, without a port.`)
  if (!Number.isInteger(address.port) || address.port < 1 || address.port > 65_535)
    throw invalidRequest(`The ${label} port must be a whole number from 1 to 65535.`)
  checkLine(`The ${label} user`, address.user)
  return address
}

/** The checked address of the account; throws `invalid_request`. */
export function accountEmail(input: string): string {
  const email = input.trim()
  if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(email))
    throw invalidRequest('The address must look like name@example.com.')
  checkLine('The address', email)
  return email
}

/** The checked name; throws `invalid_request`. */
export function accountName(input: string): string {
  const name = input.trim()
  checkLine('The account name', name)
  if (name.length > NAME_LENGTH_MAX)
    throw invalidRequest(`An account name has at most ${NAME_LENGTH_MAX} characters.`)
  return name
}

/** The checked age limit of sources in days, null for none; throws `invalid_request`. */
export function sourceDays(input: number | null): number | null {
  if (input !== null && !(Number.isInteger(input) && input >= 1 && input <= SOURCE_DAYS_MAX))
    throw invalidRequest(`Sources can be kept from 1 to ${SOURCE_DAYS_MAX} days, or all of them.`)
  return input
}

/** The checked password; throws `invalid_request`, which never repeats it. */
export function accountPassword(input: string): string {
  checkLine('The password', input)
  return input
}

/** Control characters could end a protocol line early. */
function checkLine(what: string, text: string): void {
  if (text === '') throw invalidRequest(`${what} must not be empty.`)
  if (text.length > TEXT_LENGTH_MAX) throw invalidRequest(`${what} is too long.`)
  if (/\p{Cc}/u.test(text)) throw invalidRequest(`${what} must not hold control characters.`)
}
