/** Where a reply sends us. */
export interface Redirect {
  readonly redirectTo: URL
}

/** A redirect that is not followed; the message names its target, without a query. */
export class RefusedRedirect extends Error {
  override readonly name = 'RefusedRedirect'

  constructor(target: URL, why: string) {
    super(`redirected to ${target.origin}${target.pathname}: ${why}`)
  }
}

const REPEATING: ReadonlySet<number> = new Set([301, 302, 307, 308])

/**
 * Whether a reply sends us elsewhere with the same request; undefined when it does not. Throws `RefusedRedirect`
 * where following would change the method (303 to anything but a GET) or drop TLS (contract section 6).
 */
export function redirectOf(reply: {
  readonly method: string
  readonly url: URL
  readonly status: number
  readonly location: string | undefined
}): Redirect | undefined {
  const isSeeOther = reply.status === 303
  if ((!isSeeOther && !REPEATING.has(reply.status)) || reply.location === undefined)
    return undefined
  const target = URL.parse(reply.location, reply.url)
  if (target === null) return undefined
  if (isSeeOther && reply.method !== 'GET')
    throw new RefusedRedirect(target, 'a 303 asks for another request')
  if (reply.url.protocol === 'https:' && target.protocol === 'http:')
    throw new RefusedRedirect(target, 'from https to http')
  return { redirectTo: target }
}
