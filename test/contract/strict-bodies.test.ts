import { describe, expect, test } from 'vitest'
import { gatedEndpoints } from '../../handlers/api.ts'
import { openApiDocument } from '../../handlers/openapi/document.ts'
import { harness } from '../support/harness.ts'
import { settledOutbox } from '../support/settled-outbox.ts'

interface Documented {
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { readonly schema: { readonly $ref: string } }
    }
  }
}

const { paths, components } = JSON.parse(JSON.stringify(openApiDocument())) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>
  readonly components: { readonly schemas: Readonly<Record<string, { readonly example?: object }>> }
}

/** What the document gives as the example of an operation's body. */
function exampleOf(path: string, method: string): object | undefined {
  const body = paths[`/api${path}`]?.[method]?.requestBody
  const name = body?.content['application/json'].schema.$ref.split('/').at(-1)
  return name === undefined ? undefined : components.schemas[name]?.example
}

const changing = gatedEndpoints.flatMap(({ route }) => {
  if (route.method === 'get') return []
  const success = Object.entries(route.responses).find(([status]) => status.startsWith('2'))
  const [status, response] = success ?? ['', {}]
  return {
    name: route.operationId,
    method: route.method.toUpperCase(),
    path: `/api${route.path.replaceAll(/\{[^}]+\}/g, '1')}`,
    example: exampleOf(route.path, route.method),
    takesBody: 'request' in route && 'body' in route.request,
    status: Number(status),
    schema: 'content' in response ? response.content['application/json'].schema : undefined,
  }
})

/** Message 1, draft 1, rule 1, outbox entry 1 and webhook 1 with delivery 1, and the folders that examples name. */
async function mailbox() {
  const h = await harness()
  const account = await h.make.account({ name: 'Work' })
  const inbox = await h.make.inbox(account.id)
  await h.make.folder(account.id, { path: 'Archive/Bills', specialUse: 'archive' })
  await h.make.message(inbox)
  await h.send('POST', '/api/v1/drafts', { to: 'charles@example.com' })
  await h.send('POST', '/api/v1/filters', {
    conditions: [{ field: 'body', op: 'contains', value: 'x' }],
    actions: [{ type: 'star' }],
  })
  await h.send('POST', '/api/v1/messages/send', {
    to: ['charles@example.com'],
    schedule_at: '2026-12-24T08:00:00Z',
  })
  await h.send('POST', '/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: [] })
  await h.send('POST', '/api/v1/webhooks/1/test')
  return h
}

test('every body has an example', () => {
  const without = changing.filter(({ takesBody, example }) => takesBody && !example)
  expect(without.map(({ name }) => name)).toEqual([])
  expect(changing.filter(({ example }) => example).length).toBeGreaterThan(3)
})

describe.each(changing)('$name', ({ method, path, example, status, schema }) => {
  test('answers its example with what its schema says, nothing more and nothing less', async () => {
    await using h = await mailbox()
    await using _sidecar = await settledOutbox(h.runtime)
    const answer = await h.send(method, path, example)
    expect(answer.status).toBe(status)
    if (!schema) return
    const body: unknown = await answer.json()
    expect(schema.parse(body)).toEqual(body)
    expect(JSON.stringify(body)).not.toContain(':null')
  })
})

describe.each(changing.filter(({ example }) => example))('$name', ({ method, path, example }) => {
  test.each([
    ['an unknown field', { ...example, unknown: 1 }],
    ['a list', [example]],
    ['null', null],
  ])('%s: 400', async (_, body) => {
    await using h = await mailbox()
    const answer = await h.send(method, path, body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      error: { code: 'invalid_request', message: expect.stringMatching(/\w/) },
    })
  })
})
