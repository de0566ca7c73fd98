import { expect, test } from 'vitest'
import { outcomeOf } from '../../../domain/webhooks/retry-ladder.ts'

const ENDED_AT = 1_000_000

test('seven attempts, with the delays of the specification between them', () => {
  const minutes: unknown[] = []
  for (let attemptsBefore = 0; attemptsBefore < 7; attemptsBefore++) {
    const outcome = outcomeOf({ attemptsBefore, statusCode: 500, endedAt: ENDED_AT })
    minutes.push(outcome.kind === 'failed' ? (outcome.nextAttemptAt - ENDED_AT) / 60_000 : outcome)
  }
  expect(minutes).toEqual([1, 5, 30, 120, 480, 840, { kind: 'dead', isExhausted: true }])
})

test.each([200, 201, 204, 299])('%i is taken, whichever attempt it was', (statusCode) => {
  for (const attemptsBefore of [0, 6]) {
    expect(outcomeOf({ attemptsBefore, statusCode, endedAt: 0 })).toEqual({ kind: 'ok' })
  }
})

test.each([null, 199, 300, 304, 400, 404, 409, 411, 429, 500, 503])(
  '%s is tried again',
  (statusCode) => {
    expect(outcomeOf({ attemptsBefore: 0, statusCode, endedAt: 0 })).toMatchObject({
      kind: 'failed',
    })
  },
)

test('410 is the end of the delivery and not of its endpoint, the last attempt too', () => {
  for (const attemptsBefore of [0, 6]) {
    expect(outcomeOf({ attemptsBefore, statusCode: 410, endedAt: 0 })).toEqual({
      kind: 'dead',
      isExhausted: false,
    })
  }
})
