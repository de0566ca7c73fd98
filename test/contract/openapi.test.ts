import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { gatedEndpoints, openEndpoints } from '../../handlers/api.ts'
import { openApiDocument } from '../../handlers/openapi/document.ts'
import { harness } from '../support/harness.ts'
import { nodesOf } from '../support/document-nodes.ts'

const document = JSON.parse(JSON.stringify(openApiDocument())) as Record<string, unknown>
const golden = new URL('../golden/openapi.json', import.meta.url)

test('the document is the one that was reviewed; after a change: npm run openapi', () => {
  expect(document).toEqual(JSON.parse(readFileSync(golden, 'utf8')))
})

test('it is answered to everyone, whatever the licence', async () => {
  await using h = await harness({ config: { automation: false } })
  const answer = await h.api.request('/api/v1/openapi.json')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
  expect(await answer.json()).toEqual(document)
})

test('every endpoint is in it, under its own name', () => {
  const listed = [...openEndpoints, ...gatedEndpoints].map(({ route }) => route.operationId)
  expect(new Set(listed).size).toBe(listed.length)
  const operations = nodesOf(document).flatMap(({ node }) => node['operationId'] ?? [])
  expect(operations).toEqual(listed)
})

const wordless = ({ node }: { node: Record<string, unknown> }) =>
  typeof node['description'] !== 'string' && !('$ref' in node)

describe('everything in it is described', () => {
  test('every parameter', () => {
    const parameters = nodesOf(document).filter(({ node }) => 'in' in node && 'schema' in node)
    expect(parameters.length).toBeGreaterThan(20)
    expect(parameters.filter(wordless)).toEqual([])
  })

  test('every field', () => {
    const fields = nodesOf(document).filter(({ path }) => path.at(-2) === 'properties')
    expect(fields.length).toBeGreaterThan(50)
    expect(fields.filter(wordless).map(({ path }) => path.join('/'))).toEqual([])
  })
})
