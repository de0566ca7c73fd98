import { z } from 'zod'
import type { WakeTopic } from '../ports/wake.ts'

/** Grows with every change that the other half would misunderstand; halves of different versions refuse each other. */
export const PROTOCOL_VERSION = '6'
export const PROTOCOL_HEADER = 'X-Svc-Sidecar-Protocol'

/** Names the process that wakes or listens, so that its own wakes do not come back to it. */
export const PROCESS_HEADER = 'X-Svc-Process'

/** How often the stream of wakes carries a line even if nothing happens: longer silence means it is dead. */
export const STREAM_BEAT_MS = 10_000

const TOPICS = [
  'accounts',
  'mailbox_changes',
  'outbox',
  'webhooks',
  'searches',
  'outcomes',
  'changes',
  'events',
] as const satisfies readonly WakeTopic[]

/** What a wake asks for in its query, with commas between: a body would have to be streamed. */
export const WokenTopics = z
  .string()
  .transform((topics) => topics.split(','))
  .pipe(z.array(z.enum(TOPICS)))

/** A line of the stream of wakes; one without a topic is a beat. */
export const StreamLine = z.object({ topic: z.enum(TOPICS).optional() })

export const ErrorBody = z.object({ error: z.object({ message: z.string() }) })
