import { events } from '../../db/schema/events.ts'

export type EventName = (typeof events.$inferSelect)['kind']

/** What can be subscribed to, in the order of the specification (section 6). */
export const EVENT_NAMES = events.kind.enumValues

/** Those of the names that can be subscribed to, in the order of the specification, none twice. */
export const knownEvents = (names: readonly string[]): readonly EventName[] =>
  EVENT_NAMES.filter((name) => names.includes(name))
