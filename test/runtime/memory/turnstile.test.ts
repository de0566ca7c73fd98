import { expect, test } from 'vitest'
import { turnstile } from '../../../runtime/memory/turnstile.ts'

test('lets as many through as there are places, the others in the order in which they came', async () => {
  const gate = turnstile(2)
  const order: string[] = []
  const enter = async (name: string) => {
    const leave = await gate.enter()
    order.push(name)
    return leave
  }
  const [leaveA, leaveB] = await Promise.all([enter('a'), enter('b')])
  const c = enter('c')
  const d = enter('d')
  await Promise.resolve()
  expect(order).toEqual(['a', 'b'])
  leaveA()
  leaveA()
  const leaveC = await c
  expect(order).toEqual(['a', 'b', 'c'])
  leaveB()
  ;(await d)()
  leaveC()
  expect(gate.isIdle()).toBe(true)
})

test('who gives up while waiting takes nobody’s place', async () => {
  const gate = turnstile(1)
  const leave = await gate.enter()
  const stopping = new AbortController()
  const givenUp = gate.enter(stopping.signal)
  const next = gate.enter()
  stopping.abort()
  await expect(givenUp).rejects.toThrow(/abort/i)
  leave()
  ;(await next)()
  expect(gate.isIdle()).toBe(true)
  await expect(gate.enter(AbortSignal.abort())).rejects.toThrow(/abort/i)
})

test('who gives up just as it is let in takes no other with it', async () => {
  const gate = turnstile(1)
  const leave = await gate.enter()
  const givingUp = new AbortController()
  const second = gate.enter(givingUp.signal)
  const third = gate.enter()
  leave()
  givingUp.abort()
  const leaveSecond = await second
  leaveSecond()
  expect(await third).toBeTypeOf('function')
})
