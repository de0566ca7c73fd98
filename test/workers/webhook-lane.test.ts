import { describe, expect, test } from 'vitest'
import { type Lane, newLane, nextLane, noteAnswer } from '../../workers/webhooks/lane.ts'

const NOW = 1_000_000

/** A held lane with more to do than there are places. */
const lane = (webhookId: number, health: Lane['health'] = 'well'): Lane =>
  Object.assign(newLane(webhookId), { epoch: 1, hasMore: true, health })

/** Fills all places that there are; how many each lane got. */
function filled(lanes: readonly Lane[], nowMs = NOW) {
  for (let n = 0; ; n++) {
    const next = nextLane(lanes, nowMs)
    if (!next) return lanes.map(({ underway }) => underway.size)
    next.underway.set(n, nowMs)
    next.lastBegunAt = nowMs + n
  }
}

const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0)

describe('places', () => {
  test('are four for each lane, and one where the receiver ails or is not known', () => {
    expect(filled([lane(1), lane(2, 'ailing'), lane(3, 'unproven')])).toEqual([4, 1, 1])
  })

  test('are 64 in all, given in turns', () => {
    const counts = filled(Array.from({ length: 30 }, (_, n) => lane(n)))
    expect(sum(counts)).toBe(64)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  })

  test('of lanes that are not well leave room for the others', () => {
    const ailing = Array.from({ length: 100 }, (_, n) => lane(n, 'ailing'))
    expect(sum(filled(ailing))).toBe(32)
    const unproven = Array.from({ length: 100 }, (_, n) => lane(n, 'unproven'))
    expect(sum(filled([...ailing, ...unproven]))).toBe(48)
    const well = Array.from({ length: 10 }, (_, n) => lane(n))
    expect(sum(filled([...ailing, ...unproven, ...well]))).toBe(64)
  })

  test('are not given to a lane that has nothing to do, or is not held', () => {
    expect(nextLane([Object.assign(lane(1), { hasMore: false })], NOW)).toBeUndefined()
    expect(nextLane([Object.assign(lane(1), { epoch: null })], NOW)).toBeUndefined()
    expect(nextLane([Object.assign(lane(1), { hasMore: false, queue: [1] })], NOW)).toBeDefined()
  })

  test('are not given while many outcomes are not written down', () => {
    const stuck = lane(1)
    for (let id = 0; id < 256; id++) stuck.unwritten.add(id)
    expect(nextLane([stuck, lane(2)], NOW)).toBeUndefined()
  })
})

test('the lane that waited longest comes first', () => {
  const lanes = [lane(1), lane(2), lane(3)]
  const order = Array.from({ length: 6 }, (_, n) => {
    const next = nextLane(lanes, NOW)
    if (next) next.lastBegunAt = NOW + n
    return next?.webhookId
  })
  expect(order).toEqual([1, 2, 3, 1, 2, 3])
})

test('a receiver that takes long counts as ailing, also while it still takes', () => {
  const slow = lane(1)
  slow.underway.set(1, NOW - 2_000)
  expect(nextLane([slow], NOW)).toBeUndefined()
  expect(nextLane([slow], NOW - 1)).toBe(slow)
  slow.underway.clear()
  noteAnswer(slow, { isOk: true, tookMs: 2_000 })
  expect(filled([slow])).toEqual([1])
  noteAnswer(slow, { isOk: false, tookMs: 1 })
  expect(slow.health).toBe('ailing')
  noteAnswer(slow, { isOk: true, tookMs: 1_999 })
  expect(filled([slow])).toEqual([4])
})
