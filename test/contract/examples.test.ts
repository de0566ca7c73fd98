import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../handlers/openapi/document.ts'
import { nodesOf } from '../support/document-nodes.ts'

const document = JSON.parse(JSON.stringify(openApiDocument())) as Record<string, unknown>
const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(document, 'document')

const examples = nodesOf(document).flatMap(({ path, node }) =>
  'example' in node || Array.isArray(node['examples'])
    ? [{ at: pointer(path), values: [node['example'], node['examples']].flat() }]
    : [],
)

test.each(examples)('the example at $at is valid', ({ at, values }) => {
  const validate = ajv.compile({ $ref: `document${at}` })
  for (const value of values.filter((one) => one !== undefined)) {
    validate(value)
    expect(validate.errors ?? []).toEqual([])
  }
})

test('every component has an example, itself or in what it is made of', () => {
  expect(examples.length).toBeGreaterThan(10)
})

function pointer(path: readonly string[]): string {
  const parts = path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `#/${parts.map(encodeURIComponent).join('/')}`
}
