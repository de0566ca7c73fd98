import { z } from '@hono/zod-openapi'
import type { MessageHeaders as HeadersOf } from '../../domain/messages/headers.ts'

export const headersFields = {
  raw: z.string().optional().openapi({
    description: 'The header block exactly as received: folding, order, every repeated line.',
  }),
  parsed: z.record(z.string(), z.array(z.string())).optional().openapi({
    description:
      'Field names in lower case to their values in order of appearance, unfolded and decoded (RFC 2047).',
  }),
}

export const headersError = z.string().optional().openapi({
  description: 'Why there is no header.',
})

export const MessageHeaders = z
  .object({ ...headersFields, headers_error: headersError })
  .openapi('MessageHeaders', {
    description: 'The header of a message.',
    example: {
      raw: 'Subject: =?utf-8?q?The_engine?=\r\n',
      parsed: { subject: ['The engine'] },
    },
  })

/** The header where it stands in the fields of the answer itself. */
export const headersJson = (headers: HeadersOf): z.infer<typeof MessageHeaders> =>
  'headers' in headers ? partsJson(headers.headers) : { headers_error: headers.headersError }

/** The header where it is one field among others. */
export const nestedHeadersJson = (headers: HeadersOf) =>
  'headers' in headers
    ? { headers: partsJson(headers.headers) }
    : { headers_error: headers.headersError }

type Parts = Extract<HeadersOf, { headers: unknown }>['headers']

const partsJson = ({ raw, parsed }: Parts) => ({
  raw,
  parsed: parsed as Record<string, string[]> | undefined,
})
