import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

import { openApiDocument } from '../../handlers/openapi/document.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(JSON.parse(JSON.stringify(openApiDocument())) as Record<string, unknown>, 'document')

/** In what a value differs from a component of the API's description; nothing when it is what is promised. */
export function schemaErrors(component: string, value: unknown): readonly string[] {
  const reference = `document#/components/schemas/${component}`
  const validate = ajv.getSchema(reference)
  if (!validate) throw new Error(`The API's description has no ${component}.`)
  return (validate(value) === true ? [] : (validate.errors ?? [])).map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  )
}
