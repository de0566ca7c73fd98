import { openApiDocument } from '../../handlers/openapi/document.ts'

/** The description of the API as JSON text. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`
