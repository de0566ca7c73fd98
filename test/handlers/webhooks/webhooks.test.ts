import { describe, expect, test } from 'vitest'
import { type Harness, harness } from '../../support/harness.ts'
import { webhookRows } from '../../support/webhooks.ts'

const PATH = '/api/v1/webhooks'
const URL_GIVEN = 'https://hooks.example.org/mail?key=1'

const json = async (answer: Response) => ({
  status: answer.status,
  body: (await answer.json()) as Record<string, unknown>,
})

const create = async (h: Harness, body: object = {}) =>
  json(await h.send('POST', PATH, { url: URL_GIVEN, events: ['message.sent'], ...body }))

const WEBHOOK = {
  id: 1,
  url: URL_GIVEN,
  events: ['message.sent'],
  active: true,
  created_at: '2026-03-01T12:00:00.000Z',
  stats: { total: 0, failing: 0, pending: 0 },
}

describe('POST /webhooks', () => {
  test('answers the webhook with its secret, once', async () => {
    await using h = await harness()
    expect(await create(h)).toEqual({
      status: 201,
      body: {
        webhook: WEBHOOK,
        secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
        note: expect.stringContaining('not shown again'),
      },
    })
    expect(await json(await h.get(`${PATH}/1`))).toEqual({ status: 200, body: WEBHOOK })
    expect(await (await h.get(PATH)).json()).toEqual({ data: [WEBHOOK], next_cursor: '' })
    const [row] = await webhookRows(h.runtime).webhooks()
    expect(row?.sealedSecret).not.toContain('whsec_')
    expect(JSON.stringify(h.logger.lines)).not.toMatch(/whsec_|key=1/)
  })

  test('drops events that do not exist, and orders the others as the specification does', async () => {
    await using h = await harness()
    const events = ['ping', 'sync.error', 'message.received', 'sync.error', '', 'message.gone']
    const { body } = await create(h, { events })
    expect(body['webhook']).toMatchObject({ events: ['message.received', 'sync.error'] })
    expect((await create(h, { events: [] })).body['webhook']).toMatchObject({ events: [] })
  })

  test('takes one that is not active yet', async () => {
    await using h = await harness()
    expect((await create(h, { active: false })).body['webhook']).toMatchObject({ active: false })
  })

  test.each([
    'hooks.example.org/mail',
    '/mail',
    '',
    ' https://hooks.example.org/',
    'https://hooks.exa\nmple.org/',
    'ftp://hooks.example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    'http://user@hooks.example.org/',
    'http://:secret@hooks.example.org/',
    'http://hooks.example.org:0/',
    'http://hooks.example.org:65536/',
    'http://hooks.example.org:-1/',
    'http://[::1/',
    'http://169.254.169.254/latest/',
    'http://169.254.169.254./',
    'http://2852039166/',
    'http://0xa9.0xfe.0xa9.0xfe/',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:169.254.169.254]/',
    'http://0/',
    'http://224.0.0.1/',
    'http://192.0.2.1/',
  ])('refuses %j, at creation and at a change', async (url) => {
    await using h = await harness()
    const refused = {
      status: 400,
      body: { error: { code: 'invalid_request', message: expect.stringMatching(/^url: \S/) } },
    }
    expect(await create(h, { url })).toEqual(refused)
    await create(h)
    expect(await json(await h.send('PATCH', `${PATH}/1`, { url }))).toEqual(refused)
    expect((await json(await h.get(`${PATH}/1`))).body).toEqual(WEBHOOK)
  })

  test('refuses one that is longer than anybody needs', async () => {
    await using h = await harness()
    const url = `https://hooks.example.org/${'x'.repeat(2_048)}`
    expect(await create(h, { url })).toMatchObject({ status: 400 })
  })

  test.each([
    'http://127.0.0.1:8080/',
    'http://localhost/',
    'http://hooks.localhost./',
    'http://[::1]/',
    'http://192.168.1.4/',
    'http://100.64.0.1/',
    'http://0x7f.1/',
  ])('takes %s, unless only public networks are allowed', async (url) => {
    await using h = await harness()
    expect((await create(h, { url })).body['webhook']).toMatchObject({ url })
    await using strict = await harness({ config: { webhookNetworks: 'public' } })
    expect(await create(strict, { url })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('SVC_WEBHOOK_NETWORKS=public') } },
    })
    expect(await create(strict)).toMatchObject({ status: 201 })
  })

  test.each([
    [{ url: 1 }],
    [{ events: 'ping' }],
    [{ events: [1] }],
    [{ active: 'no' }],
    [{ secret: 'x' }],
  ])('refuses %j', async (body) => {
    await using h = await harness()
    expect(await create(h, body)).toMatchObject({ status: 400 })
  })
})

describe('PATCH /webhooks/{id}, pause, resume and DELETE', () => {
  test('change only what is present', async () => {
    await using h = await harness()
    await create(h)
    const url = 'http://192.168.1.4:9000/'
    const changed = await json(await h.send('PATCH', `${PATH}/1`, { url, events: ['sync.error'] }))
    expect(changed).toEqual({ status: 200, body: { ...WEBHOOK, url, events: ['sync.error'] } })
    expect(await json(await h.send('PATCH', `${PATH}/1`, {}))).toEqual(changed)
  })

  test('switch it off and on; on also clears what switched it off', async () => {
    await using h = await harness()
    await create(h)
    const rows = webhookRows(h.runtime)
    const paused = await json(await h.send('POST', `${PATH}/1/pause`))
    expect(paused).toEqual({ status: 200, body: { ...WEBHOOK, active: false } })
    for (const on of [
      () => h.send('POST', `${PATH}/1/resume`),
      () => h.send('PATCH', `${PATH}/1`, { active: true }),
    ]) {
      await rows.set(1, { active: false, autoDisabledAt: 1_000 })
      expect((await json(await h.get(`${PATH}/1`))).body).toMatchObject({
        active: false,
        auto_disabled_at: '1970-01-01T00:00:01.000Z',
      })
      expect(await json(await on())).toEqual({ status: 200, body: WEBHOOK })
    }
    await rows.set(1, { active: false, autoDisabledAt: 1_000 })
    const off = await json(await h.send('PATCH', `${PATH}/1`, { active: false }))
    expect(off.body).toMatchObject({ auto_disabled_at: '1970-01-01T00:00:01.000Z' })
  })

  test('one that was deleted is gone, with its deliveries', async () => {
    await using h = await harness()
    await create(h)
    await h.send('POST', `${PATH}/1/test`)
    expect((await h.send('DELETE', `${PATH}/1`)).status).toBe(204)
    expect(await webhookRows(h.runtime).deliveries()).toEqual([])
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/test'],
      ['POST', '/secret'],
      ['GET', '/deliveries'],
      ['GET', '/deliveries/1'],
      ['POST', '/deliveries/1/replay'],
    ] as const) {
      const body = method === 'PATCH' ? { active: true } : undefined
      const answer =
        method === 'GET' ? h.get(`${PATH}/1${path}`) : h.send(method, `${PATH}/1${path}`, body)
      expect(await json(await answer)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      })
    }
  })
})

describe('POST /webhooks/{id}/secret', () => {
  const rotate = async (h: Harness, body?: object) =>
    json(await h.send('POST', `${PATH}/1/secret`, body))

  test.each([[undefined], [{}], [{ secret: '' }]])('with %j makes a new one', async (body) => {
    await using h = await harness()
    const { body: created } = await create(h)
    const { status, body: rotated } = await rotate(h, body)
    expect(status).toBe(200)
    expect(rotated).toEqual({ ...created, secret: expect.stringMatching(/^whsec_[\w-]{43}$/) })
    expect(rotated['secret']).not.toBe(created['secret'])
  })

  test.each(['0123456789abcdef', ' spaces, "quotes" & Grüße '])(
    'takes %j as given',
    async (secret) => {
      await using h = await harness()
      await create(h)
      expect(await rotate(h, { secret })).toMatchObject({ status: 200, body: { secret } })
      const [row] = await webhookRows(h.runtime).webhooks()
      expect(await h.runtime.secretBox.open(row?.sealedSecret ?? '')).toBe(secret)
    },
  )

  test.each([
    ['15 characters', 'x'.repeat(15)],
    ['a megabyte', 'x'.repeat(1_048_576)],
  ])('refuses %s, and says nothing of it', async (_what, secret) => {
    await using h = await harness()
    await create(h)
    const answer = await rotate(h, { secret })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
    expect(JSON.stringify(answer)).not.toContain('xxxx')
  })
})
