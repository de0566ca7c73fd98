import { z } from '@hono/zod-openapi'
import { notFound } from '../../domain/errors.ts'

export const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

/** A page size from 1 to `max`; anything else is refused, not clamped. */
export const limit = (max: number, byDefault: number) =>
  z
    .string()
    .transform((text, context) => {
      const value = /^\d+$/.test(text) ? Number(text) : 0
      if (value >= 1 && value <= max) return value
      context.addIssue({ code: 'custom', message: `must be an integer from 1 to ${max}` })
      return z.NEVER
    })
    .default(byDefault)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: max,
      default: byDefault,
      description: 'How many items a page has at most.',
    })

export const cursor = z
  .string()
  .optional()
  .openapi({ description: 'The `next_cursor` of the page before. Absent or empty for the first.' })

/** An integer that names a `resource`. One that is no integer is refused; one that no id can be is not there. */
export const reference = (resource: string, description: string) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be an integer')
    .transform((text) => {
      const id = Number(text)
      if (!Number.isSafeInteger(id)) throw notFound(resource, BigInt(text))
      return id
    })
    .optional()
    .openapi({ type: 'integer', description })

/** `true`, `false`, `1` or `0`; anything else counts as not given (spec section 4, contract section 2). */
export const lenientFlag = (description: string) =>
  z
    .enum(['true', 'false', '1', '0'])
    .transform((text) => text === 'true' || text === '1')
    .optional()
    .catch(undefined)
    .openapi({ type: 'boolean', description })

/** An RFC 3339 timestamp of a day and time that exist; anything else counts as not given, a leap second too. */
export const lenientTimestamp = (description: string) =>
  z
    .string()
    .regex(RFC_3339)
    .transform((text) => text.toUpperCase().replace(' ', 'T'))
    .pipe(z.iso.datetime({ offset: true }))
    .transform((text) => new Date(text))
    .optional()
    .catch(undefined)
    .openapi({ type: 'string', format: 'date-time', description })

/** An id in a path: a positive integer that the store can hold. Anything else is no such thing. */
export const pathId = (description: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number)
    .refine(Number.isSafeInteger)
    .openapi({ type: 'integer', format: 'int64', minimum: 1, description })

/** A zero-based place in a list. */
export const pathIndex = (description: string) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,8})$/)
    .transform(Number)
    .openapi({ type: 'integer', minimum: 0, description })
