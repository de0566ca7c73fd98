import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { notices } from '../../db/schema/notices.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import { StorageError } from '../../runtime/ports/storage-error.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { OutcomeUnknown } from '../../runtime/ports/submission.ts'
import { accountPrompts } from '../../workers/account-prompts.ts'
import { sendOutbox } from '../../workers/outbox.ts'
import { eventually } from '../support/eventually.ts'
import { harness } from '../support/harness.ts'
import { entries, type Queued, queueOutgoing } from '../support/outgoing.ts'
import {
  type ScriptedSubmission,
  scriptedSubmission,
  type Step,
} from '../support/scripted-submission.ts'

const openBox = { seal: async (text: string) => text, open: async (text: string) => text }

async function setUp() {
  const h = await harness({ ports: { secretBox: openBox } })
  onTestFinished(h.close)
  const { store, clock, wake } = h.runtime
  const { id: accountId } = await h.make.account()
  const queue = async (subject: string, queued: Partial<Queued> = {}) => {
    const nowMs = clock.now().getTime()
    await queueOutgoing(store, { accountId, nowMs, message: { subject }, ...queued })
    wake.now('outbox')
  }
  /** A sidecar that sends over `submission` until it is stopped. */
  const start = (
    submission: ScriptedSubmission,
    sidecarId = 'here',
    given: { store?: Store } = {},
  ) => {
    const stopping = new AbortController()
    const ctx = { ...h.runtime, submission, ...given }
    const ended = sendOutbox(ctx, { sidecarId, prompts: accountPrompts() }, stopping.signal)
    const stop = async () => {
      stopping.abort()
      await ended
    }
    return { stop }
  }
  const run = (submission: ScriptedSubmission) => {
    const { stop } = start(submission)
    onTestFinished(stop)
    return submission
  }
  const statuses = async () => (await entries(store)).map(({ status }) => status)
  return { h, store, clock: h.clock, queue, start, run, statuses }
}

/** Lets everything go on that does not wait for the clock. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 50))

test('what somebody waits for is sent at once, and the log says what became of it and nothing else', async () => {
  const { h, queue, run, statuses } = await setUp()
  const { taken } = run(scriptedSubmission())
  await queue('Now', { isImmediate: true })
  await eventually(async () => expect(await statuses()).toEqual(['sent']))
  expect(taken).toEqual(['Now'])
  const log = JSON.stringify(h.logger.lines)
  expect(log).toContain('"outcome":"sent"')
  expect(log).not.toMatch(/Now|example/)
  expect(h.runtime.metrics.read()).toMatchObject({ messages_sent_total: 1 })
})

test('a scheduled message leaves at its time, not before it and not a second later', async () => {
  const { clock, queue, run, statuses } = await setUp()
  const { taken } = run(scriptedSubmission())
  await queue('Later', { sendAt: clock.now().getTime() + 5_250 })
  for (let second = 0; second < 5; second += 1) {
    await settled()
    clock.advance(1_000)
  }
  await settled()
  clock.advance(249)
  await settled()
  expect(taken).toEqual([])
  clock.advance(1)
  await eventually(async () => expect(await statuses()).toEqual(['sent']))
})

test('a lost wake costs a second', async () => {
  const { h, store, clock, run, statuses } = await setUp()
  run(scriptedSubmission())
  await settled()
  const { id: accountId } = await h.make.account()
  await queueOutgoing(store, { accountId, nowMs: clock.now().getTime() })
  await settled()
  expect(await statuses()).toEqual(['scheduled'])
  clock.advance(1_000)
  await eventually(async () => expect(await statuses()).toEqual(['sent']))
})

test('a few are sent at once, and what somebody waits for goes before the backlog', async () => {
  const { queue, run, statuses } = await setUp()
  const gates: (() => void)[] = []
  const submission = run(
    scriptedSubmission((step) =>
      step === 'taken' ? new Promise((resolve) => gates.push(resolve)) : undefined,
    ),
  )
  for (let count = 0; count < 10; count += 1) await queue(`Later ${count}`)
  await eventually(async () => expect(submission.taken).toHaveLength(3))
  await queue('Now', { isImmediate: true })
  await eventually(async () => expect(submission.taken).toHaveLength(4))
  expect(submission.taken.at(-1)).toBe('Now')
  await eventually(async () => {
    for (const open of gates.splice(0)) open()
    expect(new Set(await statuses())).toEqual(new Set(['sent']))
  })
  expect(submission.atOnce().most).toBe(4)
  expect(new Set(submission.taken).size).toBe(11)
})

test('an account whose server is away keeps no other from sending, and is tried less and less often', async () => {
  const { h, clock, queue, run, store } = await setUp()
  const { id: other } = await h.make.account({ smtpUser: 'other' })
  let tries = 0
  const away = () => {
    tries += 1
    throw new MailServerError('unreachable', 'No route to host', { retryable: true })
  }
  const submission = scriptedSubmission((step) => (step === 'before' ? away() : undefined))
  run({
    ...submission,
    send: (settings, message) =>
      settings.user === 'other'
        ? scriptedSubmission().send(settings, message)
        : submission.send(settings, message),
  })
  for (let count = 0; count < 20; count += 1) await queue(`Later ${count}`)
  await eventually(async () => expect(tries).toBe(3))
  await queue('Elsewhere', { accountId: other })
  await eventually(async () =>
    expect((await entries(store)).at(-1)).toMatchObject({ status: 'sent' }),
  )
  await settled()
  expect(tries).toBe(3)
  clock.advance(8_000)
  await eventually(async () => expect(tries).toBe(6))
})

test('while the disk is full, the outcome waits, and is not lost', async () => {
  const { h, clock, queue, start, statuses } = await setUp()
  const { store } = h.runtime
  let isFull = false
  const submission = scriptedSubmission((step) => {
    if (step === 'taken') isFull = true
  })
  const { stop } = start(submission, 'here', {
    store: {
      ...store,
      durableTransaction: (work) => {
        if (isFull) throw new StorageError('The disk is full.')
        return store.durableTransaction(work)
      },
    },
  })
  onTestFinished(stop)
  await queue('Now', { isImmediate: true })
  await eventually(async () => expect(isFull).toBe(true))
  await settled()
  expect(await statuses()).toEqual(['sending'])
  isFull = false
  clock.advance(1_000)
  await eventually(async () => expect(await statuses()).toEqual(['sent']))
  expect(submission.taken).toHaveLength(1)
})

test('an answer that never came leaves an unknown outcome, and nothing is sent again', async () => {
  const { store, clock, queue, run } = await setUp()
  const submission = run(
    scriptedSubmission((step) => {
      if (step === 'taken') throw new OutcomeUnknown('The server did not answer.')
    }),
  )
  await queue('Later')
  await eventually(async () =>
    expect(await entries(store)).toMatchObject([{ status: 'failed', failure: 'unknown' }]),
  )
  clock.advance(24 * 60 * 60_000)
  await settled()
  expect(submission.taken).toHaveLength(1)
  expect(await store.read.select().from(notices)).toHaveLength(1)
})

test('what has not begun when the process is to end is left to the next one', async () => {
  const { queue, start, statuses } = await setUp()
  let go: () => void = () => undefined
  const submission = scriptedSubmission((step) =>
    step === 'before' ? new Promise((resolve) => (go = resolve)) : undefined,
  )
  const { stop } = start(submission)
  await queue('Now', { isImmediate: true })
  await eventually(async () => expect(submission.atOnce().now).toBe(1))
  const stopped = stop()
  go()
  await stopped
  expect(submission.taken).toEqual([])
  const next = scriptedSubmission()
  const { stop: stopNext } = start(next, 'there')
  onTestFinished(stopNext)
  await eventually(async () => expect(await statuses()).toEqual(['sent']))
})

test.each<{ stage: Step; status: string; taken: readonly [number, number] }>([
  { stage: 'before', status: 'sent', taken: [0, 1] },
  { stage: 'begun', status: 'failed', taken: [1, 0] },
  { stage: 'taken', status: 'failed', taken: [1, 0] },
])(
  'a sidecar that stops at the step "$stage" and comes back much later: at most one message',
  async ({ stage, status, taken }) => {
    const { clock, store, queue, start, statuses } = await setUp()
    let goOn: () => void = () => undefined
    const first = scriptedSubmission((step) =>
      step === stage ? new Promise((resolve) => (goOn = resolve)) : undefined,
    )
    const { stop: stopFirst } = start(first, 'first')
    onTestFinished(stopFirst)
    await queue('Later')
    await eventually(async () => expect(first.atOnce().now).toBe(1))
    await settled()
    await store.commit((write) => [
      write.update(outbox).set({ claimedUntil: sql`claimed_until - 31000` }),
    ])
    const second = scriptedSubmission()
    const { stop } = start(second, 'second')
    onTestFinished(stop)
    await eventually(async () => expect(await statuses()).toEqual([status]))
    goOn()
    await settled()
    clock.advance(60_000)
    await settled()
    expect(await statuses()).toEqual([status])
    expect([first.taken.length, second.taken.length]).toEqual(taken)
  },
)
