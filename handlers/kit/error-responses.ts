import { ErrorBody } from './errors.ts'

const failure = (description: string) => ({
  description,
  content: { 'application/json': { schema: ErrorBody } },
})

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Whole seconds until the next request is allowed.',
    schema: { type: 'integer' as const, minimum: 1 },
  },
}

const CHALLENGE = {
  'WWW-Authenticate': {
    description: 'The scheme to authenticate with.',
    schema: { type: 'string' as const, const: 'Bearer' },
  },
}

/** What any route behind the gate may answer instead of what it was asked for. */
export const gateResponses = {
  400: failure('The request is not valid; the message names what is wrong with it.'),
  401: {
    ...failure('The token is missing, malformed, unknown, revoked or expired.'),
    headers: CHALLENGE,
  },
  402: failure('The licence does not allow the API; `details.url` is where to fix it.'),
  429: { ...failure('The token is over its rate limit.'), headers: RETRY_AFTER },
  500: failure('A fault of the service.'),
}

export const scopeResponse = { 403: failure('The token lacks the scope; the message names it.') }

export const notFoundResponse = { 404: failure('The thing that was asked for does not exist.') }

export const conditionResponse = {
  412: failure('It has been changed meanwhile: nothing was done.'),
}

export const upstreamResponse = {
  502: failure(
    'The mail server, or the part of the service that talks to it, cannot be asked now.',
  ),
}

export const sendFailedResponse = {
  502: failure(
    'The message was not sent: `upstream` when its mail server said no, else `send_failed`. With `details.outbox_id` ' +
      'nobody knows yet whether it was.',
  ),
}

/** What a route outside the gate may answer. */
export const openResponses = {
  405: failure('This address answers other methods; `Allow` names them.'),
  500: failure('A fault of the service.'),
}
