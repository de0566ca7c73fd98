import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Wake } from '../../../runtime/ports/wake.ts'

/** What every Wake promises. `open` gives two ends of the same wake: what one wakes, the other waits for. */
export function wakeSuite(open: () => Promise<{ waker: Wake; waiter: Wake }>): void {
  const isSettled = async (promise: Promise<unknown>, withinMs: number) =>
    Promise.race([promise.then(() => true), delay(withinMs, false)])

  test('whoever waits is woken', async () => {
    const { waker, waiter } = await open()
    const waiting = waiter.wait('accounts', new AbortController().signal)
    waker.now('accounts')
    expect(await isSettled(waiting, 2_000)).toBe(true)
  })

  test('a wake that came before the wait is not lost', async () => {
    const { waker, waiter } = await open()
    waker.now('accounts')
    await delay(50)
    expect(await isSettled(waiter.wait('accounts', new AbortController().signal), 2_000)).toBe(true)
  })

  test('one wake ends one wait', async () => {
    const { waker, waiter } = await open()
    waker.now('accounts')
    await delay(50)
    await waiter.wait('accounts', new AbortController().signal)
    expect(await isSettled(waiter.wait('accounts', AbortSignal.timeout(5_000)), 100)).toBe(false)
  })

  test('another topic wakes nobody', async () => {
    const { waker, waiter } = await open()
    const waiting = waiter.wait('accounts', AbortSignal.timeout(5_000))
    waker.now('changes')
    expect(await isSettled(waiting, 100)).toBe(false)
  })

  test('an aborted wait ends', async () => {
    const { waiter } = await open()
    const abort = new AbortController()
    const waiting = waiter.wait('accounts', abort.signal)
    abort.abort()
    expect(await isSettled(waiting, 2_000)).toBe(true)
  })
}
