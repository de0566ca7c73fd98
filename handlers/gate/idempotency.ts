import type { Context, Handler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type Answer, keepAnswer } from '../../domain/idempotency/answer.ts'
import { type IdempotencyKey, KeyTaken } from '../../domain/idempotency/bind.ts'
import { standingOf } from '../../domain/idempotency/standing.ts'
import { invalidRequest } from '../../domain/errors.ts'
import type { ApiEnv } from '../kit/env.ts'
import { recalledAnswer } from './recalled-answer.ts'

const KEY_CHARS_MAX = 255

/** How the header of a request is described. */
export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  description:
    'A name for this request, unique among those of your token to this path: a repeat within 24 hours is not carried ' +
    'out again, but gets the answer of the first that succeeded. The body is not compared.',
  schema: { type: 'string' as const, minLength: 1, maxLength: KEY_CHARS_MAX },
}

/** How the header of an answer is described. */
export const idempotencyReplayedHeader = {
  'Idempotency-Replayed': {
    description: 'There for a repeat: the answer is that of an earlier request with the same key.',
    schema: { type: 'string' as const, const: 'true' },
  },
}

/**
 * Carries out requests with the same Idempotency-Key once (contract section 4). The handler passes `c.var.binding` on
 * to the verb, which binds the key to what it creates.
 */
export const idempotent = (handler: Handler<ApiEnv>): Handler<ApiEnv> =>
  async function idempotent(c, next) {
    const key = idempotencyKey(c)
    if (!key) return handler(c, next)
    for (;;) {
      const standing = await standingOf(c.var.runtime, key)
      if (standing.kind === 'answered') return replayed(c, standing.answer)
      if (standing.kind === 'done') {
        const answer = await recalledAnswer(c.var.runtime, standing.bound)
        await kept(c, key, answer)
        return replayed(c, answer)
      }
      c.set('binding', { ...key, replaces: standing.replaces })
      const response = await unlessTaken(async () => handler(c, next))
      if (response?.ok) {
        const body = await response.clone().text()
        await kept(c, key, { status: response.status, body })
      }
      if (response) return response
    }
  }

/** What was done was done: a store that cannot be written now must not make a failure of it. */
const kept = (c: Context<ApiEnv>, key: IdempotencyKey, answer: Answer): Promise<void> =>
  keepAnswer(c.var.runtime, key, answer).catch((error: unknown) =>
    c.var.runtime.logger.error('The answer for repeats could not be kept.', error),
  )

function idempotencyKey(c: Context<ApiEnv>): IdempotencyKey | undefined {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined) return undefined
  if (key === '' || key.length > KEY_CHARS_MAX || /\p{Cc}/u.test(key)) {
    throw invalidRequest(
      `Idempotency-Key: must have 1 to ${KEY_CHARS_MAX} characters, and no control characters.`,
    )
  }
  return { tokenId: c.var.caller.tokenId, route: `${c.req.method} ${c.req.path}`, key }
}

/** Undefined where another request with the key came first. */
async function unlessTaken<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof KeyTaken) return undefined
    throw error
  }
}

const replayed = (c: Context<ApiEnv>, { status, body }: Answer): Response =>
  c.body(body, status as ContentfulStatusCode, {
    'Content-Type': 'application/json',
    'Idempotency-Replayed': 'true',
  })
