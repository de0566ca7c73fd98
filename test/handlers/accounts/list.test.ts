import { expect, test } from 'vitest'
import { registerSidecar } from '../../../domain/sidecars/register.ts'
import { createApi } from '../../../handlers/api.ts'
import { harness } from '../../support/harness.ts'

test('200: each account with its state and its counts; what is not known is absent', async () => {
  await using h = await harness()
  const work = await h.make.account({
    name: 'Work',
    state: 'syncing',
    lastSyncAt: 0,
    progressTotal: 10,
  })
  const inbox = await h.make.inbox(work.id)
  await h.make.folder(work.id, { selectable: false })
  await h.make.message(inbox)
  await h.make.message(inbox, { read: true })
  await h.make.account({ name: 'Home', state: 'error', error: 'Invalid login.' })
  const answer = await h.get('/api/v1/accounts')
  expect(await answer.json()).toEqual({
    data: [
      {
        name: 'Work',
        email: 'ada@example.org',
        state: 'syncing',
        last_sync_at: '1970-01-01T00:00:00.000Z',
        messages: 2,
        unread: 1,
        folders: 1,
        progress: { done: 2, total: 10 },
      },
      {
        name: 'Home',
        email: 'ada@example.org',
        state: 'error',
        error: 'Invalid login.',
        messages: 0,
        unread: 0,
        folders: 0,
      },
    ],
    next_cursor: '',
  })
})

test('200: while nothing can be written and no sidecar can say so, what is synced shows why', async () => {
  await using h = await harness()
  await h.make.account({ name: 'Work', state: 'ok' })
  await h.make.account({ name: 'Old', state: 'paused' })
  const store = { ...h.runtime.store, writeTrouble: async () => 'The disk is full.' }
  const api = createApi(() => ({ ...h.runtime, store }))
  const headers = { Authorization: `Bearer ${h.secret}` }
  const states = async () => (await api.request('/api/v1/accounts', { headers })).json()
  expect(await states()).toMatchObject({
    data: [
      { name: 'Work', state: 'error', error: 'The disk is full.' },
      { name: 'Old', state: 'paused' },
    ],
  })
  await registerSidecar(h.runtime, { id: 'a', url: 'http://127.0.0.1:1' })
  expect(await states()).toMatchObject({ data: [{ state: 'ok' }, { state: 'paused' }] })
})

test('200: health counts them, without a token and whatever the licence', async () => {
  await using h = await harness({ config: { automation: false } })
  await h.make.account()
  const answer = await h.api.request('/api/health')
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true, accounts: 1 }])
})
