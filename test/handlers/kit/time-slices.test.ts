import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { timeSlices } from '../../../handlers/kit/time-slices.ts'

let timeSlice: ReturnType<typeof timeSlices>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  timeSlice = timeSlices(32)
})
afterEach(() => vi.useRealTimers())

test('one alone goes on at once while it has taken little time, then waits for a turn', async () => {
  const first = timeSlice()
  await vi.advanceTimersByTimeAsync(1)
  await first
  for (let step = 0; step < 1_000; step += 1) await timeSlice()
  vi.advanceTimersByTime(5)
  let isOver = false
  const next = timeSlice().then(() => (isOver = true))
  await Promise.resolve()
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await next
})

test('of many a few take a step before everybody else is served, each in its turn', async () => {
  const order: number[] = []
  for (let caller = 0; caller < 150; caller += 1) void timeSlice().then(() => order.push(caller))
  const stepsAfterTurn: number[] = []
  while (order.length < 150) {
    await vi.advanceTimersToNextTimerAsync()
    stepsAfterTurn.push(order.length)
  }
  expect(stepsAfterTurn).toEqual([32, 64, 96, 128, 150])
  expect(order).toEqual(order.toSorted((a, b) => a - b))
})

test('whoever comes while others wait does not go before them', async () => {
  const order: string[] = []
  for (let caller = 0; caller < 70; caller += 1) void timeSlice().then(() => order.push('early'))
  await vi.advanceTimersToNextTimerAsync()
  void timeSlice().then(() => order.push('late'))
  await vi.runAllTimersAsync()
  expect(order).toHaveLength(71)
  expect(order.at(-1)).toBe('late')
})
