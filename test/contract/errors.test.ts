import { createRoute, z } from '@hono/zod-openapi'
import { describe, expect, test } from 'vitest'
import { gatedEndpoints, openEndpoints } from '../../handlers/api.ts'
import { endpoint } from '../../handlers/kit/endpoint.ts'
import { createRouter } from '../../handlers/kit/router.ts'
import { StorageError } from '../../runtime/ports/storage-error.ts'
import { harness } from '../support/harness.ts'

const ENVELOPE = { error: { code: expect.any(String), message: expect.any(String) } }
const routes = [...openEndpoints, ...gatedEndpoints].map(({ route }) => ({
  path: `/api${route.path.replaceAll(/\{[^}]+\}/g, '1')}`,
  methods: route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()],
}))
const paths = [...Map.groupBy(routes, ({ path }) => path)].map(([path, known]) => ({
  path,
  allowed: known.flatMap(({ methods }) => methods),
}))

describe('404', () => {
  test.each(['/api', '/api/', '/api/nothing', '/api/v1', '/api/v1/nothing', '/api/v1/messages/'])(
    '%s is not there',
    async (path) => {
      await using h = await harness()
      const answer = await h.get(path)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
    },
  )

  test('under /api/v1 nothing is said without a token, not even that a path is unknown', async () => {
    await using h = await harness()
    expect((await h.api.request('/api/v1/nothing')).status).toBe(401)
    expect((await h.api.request('/api/nothing')).status).toBe(404)
  })
})

describe.each(paths)('405: $path', ({ path, allowed }) => {
  const refused = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
    (method) => !allowed.includes(method),
  )
  test.each(refused)('%s', async (method) => {
    await using h = await harness()
    const answer = await h.api.request(path, {
      method,
      headers: { Authorization: `Bearer ${h.secret}` },
    })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('Allow')).toBe(allowed.join(', '))
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } })
  })
})

/** The kit with an endpoint that takes a body, and one that fails. */
const Body = z.strictObject({ name: z.string() })
const takeBody = endpoint({
  route: createRoute({
    method: 'post',
    path: '/v1/things',
    operationId: 'makeThing',
    request: { body: { required: true, content: { 'application/json': { schema: Body } } } },
    responses: { 200: { description: 'Made.', content: { 'application/json': { schema: Body } } } },
  }),
  handler: (c) => c.json(c.req.valid('json'), 200),
})
const fail = endpoint({
  route: createRoute({
    method: 'get',
    path: '/v1/fault',
    operationId: 'fail',
    responses: { 200: { description: 'Never.' } },
  }),
  handler: () => {
    throw new Error('the password is hunter2')
  },
})

async function send(body: string | undefined, headers: Record<string, string>) {
  await using h = await harness()
  const api = createRouter(() => h.runtime, { open: [], gated: [takeBody] })
  const answer = await api.request('/api/v1/things', {
    method: 'POST',
    headers: { Authorization: `Bearer ${h.secret}`, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

describe('400', () => {
  const JSON_TYPE = { 'Content-Type': 'application/json' }

  test.each([
    ['broken JSON', '{"name":', JSON_TYPE],
    ['no body', undefined, JSON_TYPE],
    ['another content type', '{"name":"x"}', { 'Content-Type': 'text/plain' }],
    ['no content type', '{"name":"x"}', { 'Content-Type': '' }],
    ['an unknown field', '{"name":"x","more":1}', JSON_TYPE],
    ['a missing field', '{}', JSON_TYPE],
    ['a body over 40 MiB', `{"name":"${'x'.repeat(41 * 1024 * 1024)}"}`, JSON_TYPE],
  ])('%s', async (_what, body, headers) => {
    expect(await send(body, headers)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', message: expect.stringMatching(/./) } },
    })
  })

  test('a proper body passes', async () => {
    expect(await send('{"name":"x"}', JSON_TYPE)).toEqual({ status: 200, body: { name: 'x' } })
  })
})

describe('500', () => {
  test('says nothing of the cause, which goes to the log alone', async () => {
    await using h = await harness()
    const api = createRouter(() => h.runtime, { open: [], gated: [fail] })
    const answer = await api.request('/api/v1/fault', {
      headers: { Authorization: `Bearer ${h.secret}` },
    })
    expect(answer.status).toBe(500)
    const text = await answer.text()
    expect(JSON.parse(text)).toEqual(ENVELOPE)
    expect(text).not.toContain('hunter2')
    expect(h.logger.lines).toMatchObject([
      {
        level: 'error',
        cause: { message: 'the password is hunter2' },
        fields: { code: 'internal', status: 500, operation: 'fail', tokenId: h.token.id },
      },
    ])
  })
})

describe('500 while nothing can be written', () => {
  const write = endpoint({
    route: createRoute({
      method: 'get',
      path: '/v1/write',
      operationId: 'write',
      responses: { 200: { description: 'Written.' } },
    }),
    handler: async (c) => {
      await c.var.runtime.store.transaction(async () => undefined)
      return c.body(null, 200)
    },
  })

  test('says so with the fixed words, and reads go on', async () => {
    await using h = await harness()
    const refuse = () =>
      Promise.reject(
        new StorageError('The disk is full.', { cause: new Error("open '/srv/mail/svc.db'") }),
      )
    const store = { ...h.runtime.store, commit: refuse, transaction: refuse }
    const runtime = { ...h.runtime, store }
    const api = createRouter(() => runtime, { open: [], gated: [write, ...gatedEndpoints] })
    const get = async (path: string) =>
      api.request(path, { headers: { Authorization: `Bearer ${h.secret}` } })
    const answer = await get('/api/v1/write')
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { error: { code: 'internal', message: 'Something went wrong here. The log says what.' } },
    ])
    expect((await get('/api/v1/messages')).status).toBe(200)
    expect((await get('/api/v1/tokens/self')).status).toBe(200)
  })
})

test('a failed request is one line in the log, with code, operation and token, and no payload', async () => {
  await using h = await harness()
  await h.get('/api/v1/messages?limit=0&subject=private')
  await h.api.request('/api/v1/messages/1', { headers: { Authorization: 'Bearer secret' } })
  await h.get('/api/v1/nothing/private')
  expect(h.logger.lines.map(({ fields }) => fields)).toEqual([
    { code: 'invalid_request', status: 400, operation: 'listMessages', tokenId: h.token.id },
    { code: 'unauthorized', status: 401, operation: 'getMessage', tokenId: undefined },
    { code: 'not_found', status: 404, operation: undefined, tokenId: h.token.id },
  ])
  expect(JSON.stringify(h.logger.lines)).not.toMatch(/private|secret/)
})

test('every answer, a failure too, is neither sniffed nor stored nor told to others', async () => {
  await using h = await harness()
  const unauthenticated = await h.api.request('/api/v1/messages')
  for (const answer of [
    unauthenticated,
    await h.get('/api/health'),
    await h.get('/api/v1/messages'),
    await h.get('/api/v1/messages?limit=0'),
    await h.get('/api/nothing'),
  ]) {
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer')
  }
})
