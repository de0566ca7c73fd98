import { describe, expect, test } from 'vitest'
import { harness } from '../../support/harness.ts'
import { webhookRows } from '../../support/webhooks.ts'

const PATH = '/api/v1/webhooks'

const json = async (answer: Response) => ({
  status: answer.status,
  body: (await answer.json()) as Record<string, unknown>,
})

describe('the deliveries log', () => {
  test('is newest first, page by page, also while more come', async () => {
    await using h = await harness()
    const rows = webhookRows(h.runtime)
    const { id } = await rows.create()
    await rows.queue(id, 30)
    const first = await json(await h.get(`${PATH}/${id}/deliveries`))
    const page = first.body as { data: { id: number }[]; next_cursor: string }
    expect(page.data.map((row) => row.id)).toEqual(Array.from({ length: 25 }, (_, n) => 30 - n))
    await rows.queue(id, 5)
    const rest = await json(
      await h.get(`${PATH}/${id}/deliveries?limit=100&cursor=${page.next_cursor}`),
    )
    expect(rest.body).toMatchObject({
      data: [5, 4, 3, 2, 1].map((row) => ({ id: row })),
      next_cursor: '',
    })
  })

  test('shows every field of a row, absent where there is nothing', async () => {
    await using h = await harness()
    const rows = webhookRows(h.runtime)
    const { id } = await rows.create()
    await rows.queue(id)
    await rows.queue(id, 1, {
      status: 'failed',
      attempts: 2,
      nextAttemptAt: 60_000,
      lastStatusCode: 503,
      lastError: 'no',
      responseBody: '',
      durationMs: 0,
    })
    await rows.queue(id, 1, { status: 'ok', nextAttemptAt: null, deliveredAt: 5_000 })
    const always = {
      delivery_id: expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
      event: 'sync.error',
      created_at: '2026-03-01T12:00:00.000Z',
    }
    const pending = {
      ...always,
      id: 1,
      status: 'pending',
      attempts: 0,
      next_attempt_at: always.created_at,
    }
    expect((await json(await h.get(`${PATH}/${id}/deliveries`))).body).toEqual({
      data: [
        { ...always, id: 3, status: 'ok', attempts: 0, delivered_at: '1970-01-01T00:00:05.000Z' },
        {
          ...always,
          id: 2,
          status: 'failed',
          attempts: 2,
          next_attempt_at: '1970-01-01T00:01:00.000Z',
          last_status_code: 503,
          last_error: 'no',
          response_body: '',
          duration_ms: 0,
        },
        pending,
      ],
      next_cursor: '',
    })
    const one = (await json(await h.get(`${PATH}/${id}/deliveries/1`))).body
    expect(one).toEqual({ ...pending, request_body: expect.any(String) })
    expect(JSON.parse(String(one['request_body']))).toMatchObject({ id: one['delivery_id'] })
  })

  test('is filtered by status and event', async () => {
    await using h = await harness()
    const rows = webhookRows(h.runtime)
    const { id } = await rows.create()
    await rows.queue(id, 2, { status: 'ok', nextAttemptAt: null })
    await rows.queue(id, 2, { status: 'dead', nextAttemptAt: null, event: 'ping' })
    await rows.queue(id, 2, { event: 'ping' })
    const ids = async (query: string) => {
      const { body } = await json(await h.get(`${PATH}/${id}/deliveries?${query}`))
      return (body['data'] as { id: number }[]).map((row) => row.id)
    }
    expect(await ids('status=ok')).toEqual([2, 1])
    expect(await ids('event=ping')).toEqual([6, 5, 4, 3])
    expect(await ids('event=ping&status=dead')).toEqual([4, 3])
    expect(await ids('event=nothing')).toEqual([])
  })

  test.each(['limit=0', 'limit=101', 'limit=x', 'status=lost', 'cursor=x'])(
    'refuses %s',
    async (query) => {
      await using h = await harness()
      await webhookRows(h.runtime).create()
      expect((await h.get(`${PATH}/1/deliveries?${query}`)).status).toBe(400)
    },
  )

  test('of one endpoint says nothing of another', async () => {
    await using h = await harness()
    const rows = webhookRows(h.runtime)
    const { id } = await rows.create()
    const other = await rows.create()
    const [delivery] = await rows.queue(other.id)
    expect((await json(await h.get(`${PATH}/${id}/deliveries`))).body).toMatchObject({ data: [] })
    expect((await h.get(`${PATH}/${id}/deliveries/${delivery}`)).status).toBe(404)
    expect((await h.send('POST', `${PATH}/${id}/deliveries/${delivery}/replay`)).status).toBe(404)
  })
})

describe('stats', () => {
  test('count the rows exactly', async () => {
    await using h = await harness()
    const rows = webhookRows(h.runtime)
    const { id } = await rows.create()
    await rows.queue(id, 2, { status: 'ok', nextAttemptAt: null })
    await rows.queue(id, 1, { status: 'dead', nextAttemptAt: null })
    await rows.queue(id, 3)
    await rows.queue(id, 4, { status: 'failed', lastStatusCode: 503 })
    const stats = {
      total: 10,
      success_rate: 200 / 3,
      failing: 5,
      pending: 3,
      last_delivery_at: '2026-03-01T12:00:00.000Z',
      last_status: 'failed',
      last_status_code: 503,
    }
    const first = (await json(await h.get(`${PATH}/${id}`))).body
    expect(first).toMatchObject({ stats })
    const other = await rows.create()
    const { data } = (await json(await h.get(PATH))).body as { data: unknown[] }
    expect(data).toEqual([
      first,
      { ...first, id: other.id, stats: { total: 0, failing: 0, pending: 0 } },
    ])
    for (const [method, path, body] of [
      ['PATCH', '', {}],
      ['POST', '/pause', undefined],
      ['POST', '/resume', undefined],
    ] as const)
      expect((await json(await h.send(method, `${PATH}/${id}${path}`, body))).body).toMatchObject({
        stats,
      })
    const rotated = await json(await h.send('POST', `${PATH}/${id}/secret`))
    expect(rotated.body).toMatchObject({ webhook: { stats } })
  })
})

describe('test and replay', () => {
  test('queue, and show why it waits where it does', async () => {
    await using h = await harness()
    const rows = webhookRows(h.runtime)
    await rows.create({ active: false, events: [] })
    const tested = await json(await h.send('POST', `${PATH}/1/test`))
    expect(tested).toMatchObject({
      status: 202,
      body: {
        id: 1,
        event: 'ping',
        status: 'pending',
        attempts: 0,
        webhook: { id: 1, active: false, stats: { total: 1, pending: 1 } },
      },
    })
    const { body: shown } = await json(await h.get(`${PATH}/1/deliveries/1`))
    expect(JSON.parse(String(shown['request_body']))).toEqual({
      id: tested.body['delivery_id'],
      event: 'ping',
      created_at: '2026-03-01T12:00:00.000Z',
      data: { message: expect.any(String) },
    })
    await rows.setDelivery(1, { status: 'dead', attempts: 7, nextAttemptAt: null, lastError: 'no' })
    h.clock.advance(5_000)
    const replayed = await json(await h.send('POST', `${PATH}/1/deliveries/1/replay`))
    expect(replayed).toEqual({
      status: 202,
      body: { ...tested.body, next_attempt_at: '2026-03-01T12:00:05.000Z' },
    })
    expect((await json(await h.get(`${PATH}/1/deliveries/1`))).body['request_body']).toBe(
      shown['request_body'],
    )
  })
})
