import { z } from '@hono/zod-openapi'
import { envelopeText } from '../../domain/events/envelope.ts'
import type { ToldEvent } from '../../domain/events/feed.ts'
import { EVENT_NAMES } from '../../domain/webhooks/event-names.ts'

const dropped = z
  .int()
  .positive()
  .optional()
  .openapi({
    description:
      'How many events this listener has lost so far: those that it was too slow for, and those after `since` that are ' +
      'no longer kept. Only on the first line after a loss.',
  })

const Event = z.enum(EVENT_NAMES).openapi({ description: 'What happened.' })

const Envelope = z
  .object({
    id: z
      .string()
      .openapi({ description: 'Of this telling; the same each time an event is told.' }),
    event: Event,
    created_at: z.iso.datetime().openapi({ description: 'When it happened.' }),
    data: z.record(z.string(), z.unknown()).openapi({ description: 'About it; varies by event.' }),
  })
  .openapi('ListenerPayload', { description: 'The body that a webhook delivers for this event.' })

const EventLine = z
  .object({
    type: z.literal('event').openapi({ description: 'An event.' }),
    event: Event,
    id: z.int().positive().openapi({ description: 'Its number; `since` goes on after it.' }),
    payload: Envelope,
    dropped,
  })
  .openapi('ListenerEvent', {
    description: 'A line about an event.',
    example: {
      type: 'event',
      event: 'sync.error',
      id: 4711,
      payload: {
        id: 'evt_4711',
        event: 'sync.error',
        created_at: '2026-11-22T08:00:00.000Z',
        data: { account: 'Work', error: 'The password was refused.' },
      },
    },
  })

const PingLine = z
  .object({
    type: z.literal('ping').openapi({ description: 'Nothing happened.' }),
    dropped,
  })
  .openapi('ListenerPing', {
    description: 'The first line, and one every 30 seconds.',
    example: { type: 'ping' },
  })

const ErrorLine = z
  .object({
    type: z.literal('error').openapi({ description: 'The end.' }),
    code: z.string().openapi({ description: 'Why it ended, with the codes of errors.' }),
    message: z.string().openapi({ description: 'The same for people.' }),
    dropped,
  })
  .openapi('ListenerError', {
    description: 'The last line of a stream that was ended for a reason.',
    example: { type: 'error', code: 'unauthorized', message: 'Send a valid access token.' },
  })

export const ListenerLine = z
  .union([EventLine, PingLine, ErrorLine])
  .openapi('ListenerLine', { description: 'A line of the stream.' })

const encoder = new TextEncoder()
const bytesOf = (text: string) => encoder.encode(`${text}\n`)

/** A line that is not about an event. */
export const lineBytes = (line: z.infer<typeof PingLine> | z.infer<typeof ErrorLine>): Uint8Array =>
  bytesOf(JSON.stringify(line))

interface Lines {
  readonly events: readonly ToldEvent[]
  readonly bytes: Uint8Array
}

/** By the first of their events. */
const rendered = new WeakMap<ToldEvent, Lines>()

/** The lines about events, made once for all who are told the same. `dropped` is a loss to tell of with the first. */
export function eventBytes(events: readonly ToldEvent[], dropped: number | undefined): Uint8Array {
  const [first, ...others] = events
  if (!first) return bytesOf('')
  const known = rendered.get(first)
  if (known && dropped === undefined && areSame(known.events, events)) return known.bytes
  const loss = dropped === undefined ? '' : `,"dropped":${dropped}`
  const texts = [eventText(first, loss), ...others.map((event) => eventText(event, ''))]
  const bytes = bytesOf(texts.join('\n'))
  if (dropped === undefined) rendered.set(first, { events, bytes })
  return bytes
}

const areSame = (some: readonly ToldEvent[], others: readonly ToldEvent[]): boolean =>
  some.length === others.length && some.every((event, index) => event === others[index])

/** The payload goes in as it is, for its bytes are what a receiver would get. */
const eventText = (event: ToldEvent, more: string): string =>
  `{"type":"event","event":${JSON.stringify(event.kind)},"id":${event.id},` +
  `"payload":${envelopeText(`evt_${event.id}`, event)}${more}}`
