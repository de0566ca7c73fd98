import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchHits, searchJobs, searchParts } from '../../db/schema/search-jobs.ts'
import { gatedEndpoints, openEndpoints } from '../../handlers/api.ts'
import { harness, type Harness } from '../support/harness.ts'

interface Answer {
  readonly data?: unknown
  readonly next_cursor?: unknown
}

let h: Harness
beforeAll(async () => {
  h = await harness()
  const account = await h.make.account({
    error: 'No.',
    state: 'error',
    progressTotal: 2,
  })
  const inbox = await h.make.inbox(account.id)
  await h.make.folder(account.id, { path: 'Lists/dev' })
  await h.make.message(inbox, {
    labels: ['x'],
    snoozedUntil: 1,
    source:
      'From: "A" <a@example.org>\r\nTo: b@example.org\r\nMessage-ID: <m@x>\r\nIn-Reply-To: <n@x>\r\n' +
      'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nHello.\r\n--x\r\n' +
      'Content-Disposition: attachment; filename=a.txt\r\n\r\nAttached.\r\n--x--\r\n',
  })
  await h.make.message(inbox)
  const attachment = { filename: 'a.txt', content_type: 'text/plain', data: 'YQ==' }
  const draft = { account: account.name, in_reply_to: 1, attachments: [attachment] }
  await h.send('POST', '/api/v1/drafts', draft)
  await h.send('POST', '/api/v1/filters', {
    conditions: [{ field: 'body', op: 'regex', value: 'x' }],
    actions: [{ type: 'move', arg: 1 }, { type: 'star' }],
    account: account.name,
  })
  await h.send('POST', '/api/v1/messages/send', {
    to: ['"A" <a@example.org>'],
    schedule_at: '2026-12-24T08:00:00Z',
  })
  await h.send('POST', '/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['sync.error'] })
  await h.send('POST', '/api/v1/webhooks/1/test')
  await h.runtime.store.commit((write) => [
    write.insert(searchJobs).values({
      id: '1',
      status: 'done',
      query: 'x',
      limit: 1,
      warnings: ['A.'],
      results: 1,
      startedAt: 0,
    }),
    write.insert(searchParts).values({
      jobSeq: 1,
      accountId: account.id,
      foldersTotal: 2,
      foldersDone: [1, 2],
      shownIn: [1],
      warnings: ['B.'],
      endedAt: 1,
    }),
    write.insert(searchHits).values({ jobSeq: 1, messageId: 1 }),
  ])
})
afterAll(() => h.close())

const endpoints = [...openEndpoints, ...gatedEndpoints].flatMap(({ route }) => {
  if (route.method !== 'get') return []
  const { content } = route.responses[200]
  return {
    name: route.operationId,
    path: `/api${route.path.replace('{n}', '0').replaceAll(/\{[^}]+\}/g, '1')}`,
    schema: 'application/json' in content ? content['application/json'].schema : undefined,
  }
})
const jsonEndpoints = endpoints.flatMap(({ schema, ...rest }) =>
  schema ? [{ ...rest, schema }] : [],
)

describe.each(jsonEndpoints)('$name', ({ path, schema }) => {
  test('answers what its schema says, nothing more and nothing less', async () => {
    const answer = await h.get(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
    const body: unknown = await answer.json()
    expect(schema.parse(body)).toEqual(body)
    expect(JSON.stringify(body)).not.toContain(':null')
  })

  test('has next_cursor when it is a collection', async () => {
    const body = (await (await h.get(path)).json()) as Answer
    if (!('data' in body)) return
    expect(body.data).toBeInstanceOf(Array)
    expect(body.next_cursor).toBe('')
  })
})

test('the collections are those of the specification', async () => {
  const bodies = await Promise.all(
    jsonEndpoints.map(async ({ name, path }) => ({
      name,
      body: (await (await h.get(path)).json()) as Answer,
    })),
  )
  const collections = bodies.filter(({ body }) => 'data' in body).map(({ name }) => name)
  expect(collections).toEqual([
    'listAccounts',
    'listFolders',
    'listMessages',
    'listOutbox',
    'getThread',
    'listDrafts',
    'listFilters',
    'listWebhooks',
    'listWebhookDeliveries',
    'listChanges',
  ])
})
