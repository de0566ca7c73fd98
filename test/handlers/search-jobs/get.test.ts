import { expect, test } from 'vitest'
import { dueParts } from '../../../domain/search/jobs/due.ts'
import { endPart, savePart } from '../../../domain/search/jobs/part.ts'
import { startDeepSearch } from '../../../domain/search/jobs/start.ts'
import { acquireLease } from '../../../domain/sync/lease.ts'
import { harness } from '../../support/harness.ts'

test('200: how a search stands, without results while it runs, with them when it is done', async () => {
  await using h = await harness()
  const account = await h.make.account()
  const message = await h.make.message(await h.make.inbox(account.id))
  await acquireLease(h.runtime, account.id, 'here')
  const started = await startDeepSearch(h.runtime, { query: 'engine is:it', limit: 10 })
  const path = `/api/v1/search/jobs/${started.id}`
  const answer = async () => (await h.get(path)).json()
  const running = {
    id: started.id,
    status: 'running',
    query: 'engine is:it',
    started_at: h.clock.now().toISOString(),
    warnings: [expect.stringContaining('is:it')],
  }
  expect(await answer()).toEqual(running)

  const [part] = await dueParts(h.runtime, 'here')
  if (!part) throw new Error('There is nothing to search.')
  const progress = { foldersTotal: 2, foldersDone: [1], shownIn: [1], warnings: [] }
  await savePart(h.runtime, part, progress)
  const shown = { folders_done: 1, folders_total: 2 }
  expect(await answer()).toEqual({ ...running, progress: shown })
  await endPart(h.runtime, part, { warnings: ['The folder is gone.'], hits: [message.id] })
  expect(await answer()).toEqual({
    ...running,
    status: 'done',
    progress: shown,
    warnings: [...running.warnings, 'The folder is gone.'],
    results: [expect.objectContaining({ id: message.id, account: account.name })],
  })
})

test.each(['1', 'search_0', '%00', '..%2f'])('404: %s', async (id) => {
  await using h = await harness()
  const answer = await h.get(`/api/v1/search/jobs/${id}`)
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
})
