import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { apiClient } from '../../../../../../cli/api-client.ts'
import { followEvents } from '../../../../../../cli/commands/mail/webhooks/listen/follow-events.ts'
import { eventually } from '../../../../../support/eventually.ts'
import { httpServer } from '../../../../../support/http-server.ts'

const TIMING = {
  reconnectMs: 30,
  connectMs: 1_500,
  silenceMs: 1_000,
  forwardMs: 1_000,
  commandMs: 1_000,
}
const SECONDS = `Trying again in ${TIMING.reconnectMs / 1_000} s.`

let notes: string[] = []
beforeEach(() => {
  notes = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    notes.push(String(text).trimEnd())
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

/** What the service does with one request for the stream. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A service that answers one request after another as told, and the last one from then on. */
async function scripted(...answers: readonly Answer[]) {
  const asked: string[] = []
  const url = await httpServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://x').search)
    const answer = answers[Math.min(asked.length, answers.length) - 1]
    answer?.(response, request)
  })
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const following = followEvents(apiClient({ url, token: 'secret-token' }), {
    ready: 'Ready.',
    timing: TIMING,
    signal: stopping.signal,
  })
  const ids = async (count: number) => {
    const found: number[] = []
    while (found.length < count) found.push((await following.next()).value?.id ?? 0)
    return found
  }
  return { asked, following, ids, stop: () => stopping.abort() }
}

const line = (value: object) => `${JSON.stringify(value)}\n`
const event = (id: number, more: object = {}) =>
  line({
    type: 'event',
    event: 'sync.error',
    id,
    payload: { id: `evt_${id}`, event: 'sync.error', created_at: '', data: {} },
    ...more,
  })
const PING = line({ type: 'ping' })

/** Opens the stream after event 40 unless the client says which, and writes this. */
const stream =
  (...pieces: readonly string[]): Answer =>
  (response, request) => {
    const since = new URL(request.url ?? '', 'http://x').searchParams.get('since') ?? '40'
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'X-Svc-Since': since })
    for (const piece of pieces) response.write(piece)
  }
const cutOff =
  (...pieces: readonly string[]): Answer =>
  (response, request) => {
    stream(...pieces)(response, request)
    setTimeout(() => response.destroy(), 20)
  }
const refuse =
  (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers)
    response.end(JSON.stringify({ error: { code, message: 'It says no.', details: {} } }))
  }

test('it is not ready before the first line, and then goes on where each connection ended', async () => {
  const service = await scripted(
    cutOff(PING),
    cutOff(PING, event(41), event(42), event(43).slice(0, 20)),
    stream(PING, event(43)),
  )
  expect(await service.ids(3)).toEqual([41, 42, 43])
  expect(service.asked).toEqual(['', '?since=40', '?since=42'])
  expect(notes).toEqual([
    'Ready.',
    expect.stringMatching(/^No connection: .+ Trying again in 0.03 s\.$/),
    'Connected again; going on after event 40.',
    expect.stringMatching(/^No connection: .+ Trying again in 0.03 s\.$/),
    'Connected again; going on after event 42.',
  ])
})

test('a stream that ends in good order is opened again', async () => {
  const ending: Answer = (response, request) => {
    stream(PING, event(41))(response, request)
    response.end()
  }
  const service = await scripted(ending, stream(PING, event(42)))
  expect(await service.ids(2)).toEqual([41, 42])
  expect(notes).toContain(`No connection: The service closed it. ${SECONDS}`)
})

test('a connection that is only half there is given up', async () => {
  const service = await scripted(stream(PING, event(41)), stream(PING, event(42)))
  expect(await service.ids(2)).toEqual([41, 42])
  expect(notes).toContain(`No connection: Nothing was heard for 1 s. ${SECONDS}`)
})

test('one that is never answered is given up, and nothing was ready', async () => {
  const silent: Answer = () => undefined
  const service = await scripted(silent, stream(PING, event(41)))
  expect(await service.ids(1)).toEqual([41])
  expect(notes).toEqual([`No connection: Nothing was heard for 1.5 s. ${SECONDS}`, 'Ready.'])
})

test('time in which nobody asks for the next event is no silence', async () => {
  const service = await scripted(stream(PING, event(41), event(42)))
  expect(await service.ids(1)).toEqual([41])
  await new Promise((resolve) => setTimeout(resolve, 1.5 * TIMING.silenceMs))
  expect(await service.ids(1)).toEqual([42])
  expect(notes).toEqual(['Ready.'])
})

test('a stream that is not one of svc is given up', async () => {
  const service = await scripted(stream(PING, '<html>\n'), stream(PING, event(41)))
  expect(await service.ids(1)).toEqual([41])
  expect(notes).toContain(`No connection: The service sent a line that cannot be read. ${SECONDS}`)
})

test('every loss is said, and only once', async () => {
  const service = await scripted(
    stream(PING, event(41), event(44, { dropped: 2 }), event(45), event(47, { dropped: 3 })),
  )
  expect(await service.ids(4)).toEqual([41, 44, 45, 47])
  expect(notes.slice(1)).toEqual([
    '2 events were lost: this listener was too slow or away for too long.',
    '1 event was lost: this listener was too slow or away for too long.',
  ])
})

test('where events have started anew it goes on from now, and says so', async () => {
  const service = await scripted(
    cutOff(PING, event(41)),
    refuse(400, 'invalid_request'),
    stream(PING, event(1)),
  )
  expect(await service.ids(2)).toEqual([41, 1])
  expect(service.asked).toEqual(['', '?since=41', ''])
  expect(notes).toContain(
    'Those after event 41 cannot be had, some may be lost; going on from now.',
  )
})

describe('what may pass is tried again', () => {
  test.each([
    ['503', refuse(503, 'internal')],
    ['502 of a proxy', (response: ServerResponse) => response.writeHead(502).end('<html>')],
    ['429', refuse(429, 'rate_limited')],
    ['an error line', stream(PING, line({ type: 'error', code: 'internal', message: 'Oh.' }))],
  ])('%s', async (_what, answer) => {
    const service = await scripted(answer, stream(PING, event(41)))
    expect(await service.ids(1)).toEqual([41])
    expect(notes.filter((note) => note.startsWith('No connection: '))).toHaveLength(1)
  })

  test('when the service says, if that is later', async () => {
    const service = await scripted(refuse(429, 'rate_limited', { 'Retry-After': '1' }))
    void service.following.next()
    await eventually(async () =>
      expect(notes).toEqual(['No connection: It says no. Trying again in 1 s.']),
    )
    service.stop()
  })
})

describe('what cannot pass ends it', () => {
  test.each([
    [401, 'unauthorized', 4],
    [403, 'insufficient_scope', 4],
    [402, 'licence_required', 5],
    [402, 'licence_version', 5],
    [400, 'invalid_request', 2],
    [404, 'not_found', 1],
  ])('%i %s: exit code %i', async (status, code, exitCode) => {
    const service = await scripted(refuse(status, code))
    await expect(service.following.next()).rejects.toMatchObject({
      name: 'CommandFailed',
      message: 'It says no.',
      exitCode,
    })
    expect(service.asked).toHaveLength(1)
  })

  test.each([
    ['unauthorized', 4],
    ['insufficient_scope', 4],
    ['licence_required', 5],
  ])('a last line with %s: exit code %i', async (code, exitCode) => {
    const service = await scripted(stream(PING, line({ type: 'error', code, message: 'No more.' })))
    await expect(service.following.next()).rejects.toMatchObject({ message: 'No more.', exitCode })
  })
})

test('while nobody asks for the next event, no more is read than a few buffers hold', async () => {
  let written = 0
  let response: ServerResponse | undefined
  const big = event(41, { padding: 'x'.repeat(64 * 1024) })
  const pour: Answer = (given, request) => {
    response = given
    stream(PING)(given, request)
    const more = () => {
      while (written < 400) {
        written += 1
        if (!given.write(big)) break
      }
    }
    given.on('drain', more)
    more()
  }
  const service = await scripted(pour)
  await service.ids(1)
  await new Promise((resolve) => setTimeout(resolve, 300))
  // 25 MB were to be had; what was taken lies in the buffers of the sockets.
  expect(written).toBeLessThan(200)
  expect(response?.writableNeedDrain).toBe(true)
  expect(await service.ids(399)).toHaveLength(399)
})
