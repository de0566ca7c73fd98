import { createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { events } from '../../../../../db/schema/events.ts'
import { isRunning } from '../../../../bench/processes.ts'
import { eventually } from '../../../../support/eventually.ts'
import { freePorts } from '../../../../../cli/commands/local/demo/loopback.ts'
import { httpServer } from '../../../../support/http-server.ts'
import { listenedApi } from '../../../../support/listened-api.ts'
import { type RunningSvc, startSvc, svc } from '../../../../support/svc.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

const LISTEN = ['mail', 'webhooks', 'listen']

interface Received {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A receiver of webhooks that answers with these statuses, the last one from then on. */
async function receiver(statuses: readonly number[]) {
  const received: Received[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, headers } = request
    received.push({ method, headers, body: await buffer(request) })
    response.statusCode = statuses[received.length - 1] ?? statuses.at(-1) ?? 200
    response.end('thanks')
  }
  const url = await httpServer((request, response) => void take(request, response))
  return { url: `${url}/hook`, received }
}

/** Starts it and waits until it says that it listens. */
async function listening(
  { client }: { readonly client: Readonly<Record<string, string>> },
  args: readonly string[] = [],
): Promise<RunningSvc> {
  const running = startSvc([...LISTEN, ...args], { env: client })
  await eventually(async () => expect(running.stderr()).toContain('Ready'))
  return running
}

const linesOf = (text: string) => text.split('\n').slice(0, -1)
const printed = (running: RunningSvc, count: number) =>
  eventually(async () => {
    const lines = linesOf(running.stdout())
    expect(lines.length).toBeGreaterThanOrEqual(count)
    return lines
  })

async function interrupted(running: RunningSvc): Promise<number | null> {
  running.process.kill('SIGINT')
  return running.ended
}

describe('events are printed', () => {
  test('a line each, with the moment, the event, its id and what it is about', async () => {
    const service = await listenedApi()
    const running = await listening(service)
    await service.tell(2)
    expect(await printed(running, 2)).toEqual([
      '2026-11-22T00:00:00.000Z  sync.error        evt_1  Ada  1',
      '2026-11-22T00:00:00.000Z  sync.error        evt_2  Ada  2',
    ])
    expect(running.stderr()).toBe(
      `Ready: listening to every event of ${service.url}. Ctrl+C ends it.\n`,
    )
    expect(await interrupted(running)).toBe(130)
  })

  test('with --json as the service sends them, and only those that are asked for', async () => {
    const service = await listenedApi()
    const running = await listening(service, ['-json', '-events', 'message.sent'])
    await service.tell(1)
    await service.tell(1, { kind: 'message.sent' })
    const [line = ''] = await printed(running, 1)
    expect(JSON.parse(line)).toEqual({
      type: 'event',
      event: 'message.sent',
      id: 2,
      payload: {
        id: 'evt_2',
        event: 'message.sent',
        created_at: '2026-11-22T00:00:00.000Z',
        data: { account: 'Ada', error: '1' },
      },
    })
    running.process.kill('SIGTERM')
    expect(await running.ended).toBe(0)
  })
})

describe('-forward-to', () => {
  test('POSTs what a webhook would, signed with the secret that was printed, once', async () => {
    const service = await listenedApi()
    const { url, received } = await receiver([200, 500, 302, 200])
    const running = await listening(service, ['-forward-to', url.replace('http://', '')])
    const [, secret = ''] = /signed with (whsec_[\w-]{43})\n/.exec(running.stderr()) ?? []
    await service.tell(4)
    expect(await printed(running, 4)).toEqual([
      expect.stringMatching(/ {2}sync\.error +evt_1 {2}-> 200 \(\d+ ms\)$/),
      expect.stringMatching(/ {2}sync\.error +evt_2 {2}-> 500 \(\d+ ms\)$/),
      expect.stringMatching(/ {2}sync\.error +evt_3 {2}-> 302 \(\d+ ms\)$/),
      expect.stringMatching(/ {2}sync\.error +evt_4 {2}-> 200 \(\d+ ms\)$/),
    ])
    expect(received).toHaveLength(4)
    for (const [index, { method, headers, body }] of received.entries()) {
      expect(method).toBe('POST')
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'svc-webhooks/1',
        'x-svc-event': 'sync.error',
        'x-svc-delivery-id': `evt_${index + 1}`,
      })
      const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-svc-signature'])) ?? []
      expect(createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')).toBe(v1)
      expect(body.toString()).toBe(
        `{"id":"evt_${index + 1}","event":"sync.error","created_at":"2026-11-22T00:00:00.000Z",` +
          `"data":{"account":"Ada","error":"${index + 1}"}}`,
      )
    }
  })

  test('a receiver that is not there is said, and the next event is tried', async () => {
    const service = await listenedApi()
    const [port = 0] = await freePorts(1)
    const running = await listening(service, ['--json', '-forward-to', `127.0.0.1:${port}`])
    await service.tell(2)
    const lines = await printed(running, 2)
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: 1, delivery_id: 'evt_1', forward: { error: expect.stringContaining('ECONNREFUSED') } },
      { id: 2 },
    ])
  })
})

describe('-execute', () => {
  const setUp = async (command: (path: string) => string, args: readonly string[] = []) => {
    const directory = temporaryDirectory()
    onTestFinished(() => directory[Symbol.dispose]())
    const service = await listenedApi()
    const file = join(directory.path, 'out')
    const running = await listening(service, ['-execute', command(file), ...args])
    return { service, running, read: () => readFileSync(file, 'utf8'), file }
  }
  const outcomes = (running: RunningSvc, count: number) =>
    eventually(async () => {
      const lines = linesOf(running.stderr()).filter((line) => line.includes('  $ '))
      expect(lines).toHaveLength(count)
      return lines
    }, 20_000)

  test('runs it by sh with the payload and the names, and standard output is its own', async () => {
    const command = `cat; printf ' %s|%s|%s\\n' "$SVC_EVENT" "$SVC_DELIVERY_ID" "$SVC_URL"`
    const { service, running } = await setUp(() => command)
    expect(running.stderr()).not.toContain('whsec_')
    await service.tell(2)
    const payload = (n: number) =>
      `{"id":"evt_${n}","event":"sync.error","created_at":"2026-11-22T00:00:00.000Z",` +
      `"data":{"account":"Ada","error":"${n}"}}`
    expect(await printed(running, 2)).toEqual([
      `${payload(1)} sync.error|evt_1|${service.url}`,
      `${payload(2)} sync.error|evt_2|${service.url}`,
    ])
    expect(await outcomes(running, 2)).toEqual([
      expect.stringMatching(/ evt_1 {2}\$ exit 0 \(\d+ ms\)$/),
      expect.stringMatching(/ evt_2 {2}\$ exit 0 \(\d+ ms\)$/),
    ])
  })

  test('one after another, whatever each does; what fails is said and not tried again', async () => {
    const { service, running, read } = await setUp(
      (file) => `echo "+$SVC_DELIVERY_ID" >>'${file}'; sleep 0.2; echo - >>'${file}'; exit 3`,
    )
    await service.tell(3)
    const lines = await outcomes(running, 3)
    for (const line of lines) expect(line).toMatch(/\$ exit 3 \(/)
    expect(read()).toBe('+evt_1\n-\n+evt_2\n-\n+evt_3\n-\n')
  })

  test('quotes, dollars and line breaks are the shell’s, and it need not read its input', async () => {
    const { service, running, read } = await setUp(
      (file) => `exec <&-\nprintf '%s' "a'b \\"c\\" $((1 + 1))" >>'${file}'`,
    )
    // More than a pipe holds.
    await service.store.transaction((tx) =>
      tx.insert(events).values({
        kind: 'message.sent',
        accountId: 1,
        data: { subject: 'x'.repeat(500_000) },
        createdAt: 0,
      }),
    )
    await outcomes(running, 1)
    expect(read()).toBe(`a'b "c" 2`)
  })

  test('an interrupt kills it with all that it started', async () => {
    const { service, running, read, file } = await setUp(
      (path) => `sh -c 'trap "" TERM INT HUP; echo $$ >"${path}"; sleep 1000' & wait`,
    )
    await service.tell(1)
    const pid = await eventually(async () => {
      expect(existsSync(file)).toBe(true)
      const grandchild = Number(read())
      expect(isRunning(grandchild)).toBe(true)
      return grandchild
    })
    expect(await interrupted(running)).toBe(130)
    await eventually(async () => expect(isRunning(pid)).toBe(false))
  })
})

describe('it ends when it may not go on', () => {
  test('with a token that nobody knows', async () => {
    const { client } = await listenedApi()
    const env = { ...client, SVC_TOKEN: 'svc_pat_nobody' }
    const { code, stdout, stderr } = await svc(LISTEN, { env })
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).not.toMatch(/nobody|Ready/)
  })

  test('without a token, or without the scope', async () => {
    const { client } = await listenedApi({ scopes: 'mail:read' })
    expect(await svc(LISTEN, { env: client })).toEqual({
      code: 4,
      stdout: '',
      stderr: 'svc: This token lacks the scope webhooks:manage.\n',
    })
    expect(await svc(LISTEN, { env: { SVC_URL: client.SVC_URL } })).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('SVC_TOKEN'),
    })
  })

  test.each([
    ['--events', 'message.recieved'],
    ['--forward-to', 'ftp://127.0.0.1/'],
    ['--forward-to', 'http://me:secret@127.0.0.1/'],
    ['--url', 'http://me:secret@127.0.0.1/'],
    ['--url', 'nowhere'],
  ])('with %s %s, which is wrong usage', async (...args) => {
    const { client } = await listenedApi()
    const { code, stdout, stderr } = await svc([...LISTEN, ...args], { env: client })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).not.toMatch(/Ready|secret@/)
  })
})
