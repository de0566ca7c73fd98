import { z } from '@hono/zod-openapi'
import { listeningFrom, listenToEvents } from '../../domain/events/listen.ts'
import { EVENT_NAMES } from '../../domain/webhooks/event-names.ts'
import { recheckRequest } from '../gate/recheck.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { ListenerLine } from './listener-line.schema.ts'
import { listenerStream } from './listener-stream.ts'

const SCOPE = 'webhooks:manage'

/** Of any name, to the types: those of the router take a stream for a JSON body. */
const NDJSON: string = 'application/x-ndjson'

const Query = z.object({
  events: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .transform((names) => names.filter((name) => name !== ''))
    .pipe(z.array(z.enum(EVENT_NAMES, `must be among ${EVENT_NAMES.join(', ')}`)))
    .transform((kinds) => (kinds.length > 0 ? kinds : undefined))
    .optional()
    .openapi({
      type: 'string',
      description: `The events to listen to, separated by commas; every one unless given. ${EVENT_NAMES.join(', ')}.`,
    }),
  since: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the id of an event')
    .transform(Number)
    .optional()
    .openapi({
      type: 'integer',
      minimum: 0,
      description:
        'The `id` of the last event that is known: those after it come first, as far as they are kept (a week). From ' +
        'now on unless given. One that events have not come to yet is 400.',
    }),
})

export const listenToWebhooks = endpoint({
  route: scoped(SCOPE, {
    method: 'get',
    path: '/v1/webhooks/listen',
    operationId: 'listenToWebhooks',
    summary: 'Listen to events as they happen',
    description:
      'A stream that does not end: one JSON object per line, a ping at once and every 30 seconds. Nothing is ' +
      'registered. Events are kept for a week, so whoever returns with `since` loses none; one that falls 10,000 ' +
      'events behind while connected loses the oldest, and the next line counts them. When the token or the licence ' +
      'no longer allow it, an error is the last line.',
    tags: ['webhooks'],
    request: { query: Query },
    responses: {
      200: {
        description: 'The stream.',
        headers: {
          'X-Svc-Since': {
            description:
              'The event that this stream begins after; `since` for whoever is cut off before the first.',
            schema: { type: 'integer' as const, minimum: 0 },
          },
        },
        content: { [NDJSON]: { schema: ListenerLine } },
      },
    },
  }),
  handler: async (c) => {
    const { runtime, caller } = c.var
    const { events: kinds, since } = c.req.valid('query')
    const after = await listeningFrom(runtime, since)
    const stream = listenerStream(runtime, {
      hear: (signal) => listenToEvents(runtime, { after, kinds, signal }),
      recheck: () => recheckRequest(runtime, { tokenId: caller.tokenId, scope: SCOPE }),
    })
    return c.body(stream, 200, {
      'Content-Type': NDJSON,
      'X-Svc-Since': String(after),
      'X-Accel-Buffering': 'no',
    })
  },
})
