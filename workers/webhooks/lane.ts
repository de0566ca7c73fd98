/** In all. */
const AT_ONCE = 64
const AT_ONCE_PER_LANE = 4
/** For all lanes together whose receivers fail or are slow: so many places are left to the others at least. */
const AT_ONCE_AILING = 32
/** For those and the lanes of receivers of which nothing is known yet. */
const AT_ONCE_UNPROVEN = 48
/** A receiver that takes longer counts as ailing, also while it still takes. */
const SLOW_MS = 2_000
/** Outcomes that are not written down yet: with more, nothing new begins. */
const UNWRITTEN_MAX = 256

/** The deliveries of one endpoint, as the sidecar that holds its lane sees them. */
export interface Lane {
  readonly webhookId: number
  /** Null while another sidecar may hold it. */
  epoch: number | null
  /** Due deliveries that are known, in their order. */
  queue: readonly number[]
  /** Whether the store may have due ones beyond the queue. */
  hasMore: boolean
  /** When each attempt that is under way began; milliseconds UTC. */
  readonly underway: Map<number, number>
  /** Deliveries whose attempts ended and are not written down yet. */
  readonly unwritten: Set<number>
  /** How its receiver did last; unproven until it has answered. */
  health: 'unproven' | 'well' | 'ailing'
  /** When something was last begun; of lanes with as much under way, the one that waited longest is next. */
  lastBegunAt: number
}

/** A lane that is not held yet. */
export const newLane = (webhookId: number): Lane => ({
  webhookId,
  epoch: null,
  queue: [],
  hasMore: false,
  underway: new Map(),
  unwritten: new Set(),
  health: 'unproven',
  lastBegunAt: 0,
})

/** Notes how a receiver did. */
export function noteAnswer(lane: Lane, answer: { isOk: boolean; tookMs: number }): void {
  lane.health = answer.isOk && answer.tookMs < SLOW_MS ? 'well' : 'ailing'
}

/**
 * The lane that may begin another attempt now; undefined where there is none, or no place for it. The one with the
 * fewest under way comes first. One that is not well has a single place, and all of those have a part of the places
 * only, so that receivers that never answer keep nobody out who does.
 */
export function nextLane(lanes: Iterable<Lane>, nowMs: number): Lane | undefined {
  const all = [...lanes].map((lane) => ({ lane, health: healthNow(lane, nowMs) }))
  const used = { well: 0, unproven: 0, ailing: 0 }
  let unwritten = 0
  for (const { lane, health } of all) {
    used[health] += lane.underway.size
    unwritten += lane.unwritten.size
  }
  const notWell = used.ailing + used.unproven
  if (notWell + used.well >= AT_ONCE || unwritten >= UNWRITTEN_MAX) return undefined
  const hasPlace = {
    well: true,
    unproven: notWell < AT_ONCE_UNPROVEN,
    ailing: used.ailing < AT_ONCE_AILING && notWell < AT_ONCE_UNPROVEN,
  }
  const places = { well: AT_ONCE_PER_LANE, unproven: 1, ailing: 1 }
  let next: Lane | undefined
  for (const { lane, health } of all) {
    const hasWork = lane.epoch !== null && (lane.queue.length > 0 || lane.hasMore)
    if (!hasWork || !hasPlace[health] || lane.underway.size >= places[health]) continue
    if (!next || comesBefore(lane, next)) next = lane
  }
  return next
}

const comesBefore = (a: Lane, b: Lane): boolean =>
  a.underway.size < b.underway.size ||
  (a.underway.size === b.underway.size && a.lastBegunAt < b.lastBegunAt)

function healthNow({ health, underway }: Lane, nowMs: number): Lane['health'] {
  const isSlow = [...underway.values()].some((begunAt) => nowMs - begunAt >= SLOW_MS)
  return isSlow ? 'ailing' : health
}
