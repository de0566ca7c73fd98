import { openApiConfig } from '../../openapi.config.ts'
import { createApi } from '../api.ts'

/** The description of the API, as `/api/v1/openapi.json` answers it. */
export function openApiDocument() {
  const api = createApi(() => {
    throw new Error('Describing the API takes no runtime.')
  })
  return api.getOpenAPI31Document(openApiConfig)
}
