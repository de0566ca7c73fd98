import { afterAll, beforeAll, expect, test } from 'vitest'
import { harness, type Harness } from '../../support/harness.ts'

let h: Harness
beforeAll(async () => {
  h = await harness()
  await h.make.account()
  await h.make.account()
})
afterAll(() => h.close())

const read = async (query: string) => {
  const answer = await h.get(`/api/v1/changes${query}`)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('200: changes in order, with the newest number', async () => {
  expect(await read('')).toEqual({
    status: 200,
    body: {
      data: [
        { seq: 1, kind: 'account', id: 1 },
        { seq: 2, kind: 'account', id: 2 },
      ],
      next_cursor: '',
      seq: 2,
    },
  })
  expect((await read('?since=1')).body['data']).toEqual([{ seq: 2, kind: 'account', id: 2 }])
  expect((await read('?since=2')).body).toEqual({ data: [], next_cursor: '', seq: 2 })
})

test.each(['3', '-1', 'x', '', '1.5', '99999999999999999999'])(
  '400: since=%s means to read everything again',
  async (since) => {
    const { status, body } = await read(`?since=${since}`)
    expect(status).toBe(400)
    expect(body).toEqual({
      error: { code: 'invalid_request', message: expect.stringContaining('again') },
    })
  },
)

test.each(['limit=0', 'limit=501', 'cursor=x'])('400: %s', async (query) => {
  expect((await read(`?${query}`)).status).toBe(400)
})
