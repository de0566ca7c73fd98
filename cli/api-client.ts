import { hc, type ClientResponse } from 'hono/client'
import type { createApi } from '../handlers/api.ts'
import { CommandFailed, EXIT } from './exit.ts'
import { oneLine } from './output.ts'

const DEFAULT_URL = 'http://127.0.0.1:8083'

/** Where the service is and who asks. */
export interface ServiceOptions {
  readonly url?: string
  readonly token?: string
}

type Api = ReturnType<typeof createApi>

/** The API of a running service, typed by its handlers. Throws `CommandFailed` for options that cannot be used. */
export const apiClient = (options: ServiceOptions) =>
  hc<Api>(serviceUrl(options), { headers: { Authorization: `Bearer ${tokenOf(options)}` } }).api.v1

export type ApiClient = ReturnType<typeof apiClient>

/** The address of the service, without a slash at its end. */
export function serviceUrl({ url }: ServiceOptions): string {
  const given = url?.trim() || DEFAULT_URL
  const parsed = URL.parse(given)
  const isUsable = parsed && /^https?:$/.test(parsed.protocol) && !parsed.search && !parsed.hash
  if (!isUsable) throw new CommandFailed('--url takes an http or https address.', EXIT.usage)
  if (parsed.username !== '' || parsed.password !== '')
    throw new CommandFailed('--url takes no user; the token says who asks.', EXIT.usage)
  return parsed.href.replace(/\/+$/, '')
}

/** Never part of a message: what cannot be sent as a header would come back in the words of the client. */
function tokenOf({ token }: ServiceOptions): string {
  const given = token?.trim() ?? ''
  if (given === '')
    throw new CommandFailed(
      'There is no token: set SVC_TOKEN or give --token. svc token create makes one.',
      EXIT.refused,
    )
  if (/^[\x21-\x7e]+$/.test(given)) return given
  throw new CommandFailed('The token is malformed.', EXIT.refused)
}

type ValueOf<Answer> =
  Answer extends ClientResponse<infer Value, infer Status, 'json'>
    ? Status extends 200 | 201 | 202
      ? Value
      : never
    : never

/** The JSON that was asked for, as the API gave it. Throws `CommandFailed` with why there is none. */
export async function valueOf<Sent extends Pick<Response, 'ok' | 'status' | 'text'>>(
  sent: Promise<Sent>,
): Promise<ValueOf<Sent>> {
  const answer = await answered(sent)
  const text = await answer.text()
  try {
    return JSON.parse(text) as ValueOf<Sent>
  } catch {
    throw new CommandFailed('The answer is not that of svc: is the address right?')
  }
}

/** The answer, if it is a success. Throws `CommandFailed` with why it is none, or that there is none. */
export async function answered<Sent extends Pick<Response, 'ok' | 'status' | 'text'>>(
  sent: Promise<Sent>,
): Promise<Sent> {
  const answer = await sent.catch((error: unknown) => {
    throw new CommandFailed(`The service does not answer: ${reasonOf(error)} Does svc serve run?`)
  })
  if (answer.ok) return answer
  throw refusalOf(answer.status, await answer.text().catch(() => ''))
}

interface ApiError {
  readonly code?: string
  readonly message?: string
  readonly details?: { readonly url?: string }
}

function refusalOf(status: number, body: string): CommandFailed {
  const { code, message, details } = errorIn(body)
  if (code === undefined || message === undefined)
    return new CommandFailed(`The service answered with the status ${status}.`)
  const where = details?.url === undefined ? '' : ` ${details.url}`
  return new CommandFailed(oneLine(`${message}${where}`), exitCodeOf(code))
}

function errorIn(body: string): ApiError {
  try {
    return (JSON.parse(body) as { readonly error?: ApiError } | null)?.error ?? {}
  } catch {
    return {}
  }
}

/** The exit code for an error code of the API. */
export function exitCodeOf(code: string): number {
  if (code === 'unauthorized' || code === 'insufficient_scope') return EXIT.refused
  if (code === 'licence_required' || code === 'licence_version') return EXIT.licence
  return code === 'invalid_request' ? EXIT.usage : EXIT.failed
}

/** Why a request came to nothing, in a sentence: fetch itself only says that it failed. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const message = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return `${oneLine(message || code).replace(/\.$/, '')}.`
}
