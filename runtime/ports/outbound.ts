/** One HTTP request to the world outside. Redirects repeat it with its headers: allow none where these are secret. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly limits: OutboundLimits
}

interface OutboundLimits {
  /** For everything: name lookups, redirects, and the reply up to the last byte that is kept. */
  readonly deadlineMs: number
  /** What a reply holds beyond this is not read. */
  readonly replyBytesMax: number
  readonly redirectsMax: number
}

/** A reply, whatever its status; header names are in lower case. */
export interface OutboundAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Whether the body was cut off. */
  readonly truncated: boolean
}

/**
 * No reply: it took too long or was called off (`timeout`), the address is not allowed (`refused`), a redirect
 * leads where we do not follow (`redirect`), or the connection failed (`transport`).
 */
export interface OutboundFailure {
  readonly status: null
  readonly failure: 'timeout' | 'refused' | 'redirect' | 'transport'
  /** For people; names hosts and addresses, never a query, a header or a body. */
  readonly reason: string
}

export type OutboundReply = OutboundAnswer | OutboundFailure

/** The only way to fetch what somebody else named: every dial and every redirect is judged (contract section 6). */
export interface Outbound {
  /** Throws only for a request that cannot be written, such as a header with a line break. */
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply>
}
