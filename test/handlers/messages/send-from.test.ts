import { describe, expect, test } from 'vitest'
import { outbox } from '../../../db/schema/outbox.ts'
import { harness } from '../../support/harness.ts'

const SEND = '/api/v1/messages/send'
const MAIL = { to: ['charles@example.com'], subject: 'The engine', body: 'It runs.' }

describe('the sending account', () => {
  test.each([
    ['its name, in any case', { account: 'HOME' }, 'ada@home.example'],
    ['its address', { from: 'Ada <ADA@home.example>' }, 'ADA@home.example'],
    ['its name, with an alias', { account: 'Home', from: 'sales@x.example' }, 'sales@x.example'],
    ['its name, not its address', { account: 'Home', from: 'ada@example.org' }, 'ada@example.org'],
  ])('by %s', async (_what, sender, address) => {
    await using h = await harness()
    await h.make.account({ name: 'Work', email: 'ada@example.org' })
    await h.make.account({ name: 'Home', email: 'ada@home.example' })
    const answer = await h.send('POST', SEND, {
      ...MAIL,
      ...sender,
      schedule_at: '2026-12-24T08:00:00Z',
    })
    expect(answer.status).toBe(202)
    expect((await h.runtime.store.read.select().from(outbox))[0]).toMatchObject({
      message: { from: { address } },
    })
    expect(await (await h.get('/api/v1/outbox/1')).json()).toMatchObject({ account: 'Home' })
  })
})
