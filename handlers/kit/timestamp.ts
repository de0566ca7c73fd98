import { z } from '@hono/zod-openapi'
import { RFC_3339 } from './query-types.ts'

/** An RFC 3339 timestamp of a day and time that exist; anything else is refused. */
export const timestamp = (description: string) =>
  z
    .string()
    .regex(RFC_3339, 'must be an RFC 3339 timestamp such as 2026-12-24T08:00:00Z')
    .transform((text) => text.toUpperCase().replace(' ', 'T'))
    .pipe(z.iso.datetime({ offset: true, error: 'must be a day and time that exist' }))
    .transform((text) => new Date(text))
    .openapi({ type: 'string', format: 'date-time', description })
