import { expect, test } from 'vitest'
import { accountPrompts } from '../../workers/account-prompts.ts'

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })

test('a prompt ends what the account is at, and says what was named', async () => {
  const prompts = accountPrompts()
  const { signal } = new AbortController()
  const during = prompts.of(1).during(signal, untilAborted)
  prompts.of(2).now()
  prompts.of(1).now(7)
  expect(await during).toEqual([7])
})

test('a prompt that comes while nobody listens is not lost, and counts once', async () => {
  const prompt = accountPrompts().of(1)
  const stopping = new AbortController()
  prompt.now(7)
  prompt.now(8)
  expect(await prompt.during(stopping.signal, untilAborted)).toEqual([7, 8])
  const next = prompt.during(stopping.signal, untilAborted)
  stopping.abort()
  expect(await next).toEqual([])
})
