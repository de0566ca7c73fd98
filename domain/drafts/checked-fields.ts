import { invalidRequest } from '../errors.ts'

/** What may be written into a draft: it may be incomplete, and is looked at strictly when it is sent. */
export interface DraftFields {
  readonly to?: string | undefined
  readonly cc?: string | undefined
  readonly bcc?: string | undefined
  readonly subject?: string | undefined
  readonly body?: string | undefined
  readonly mode?: 'plain' | 'html' | 'markdown' | undefined
}

const HEADER_FIELDS = ['to', 'cc', 'bcc', 'subject'] as const

/** The fields that are present. Throws `invalid_request` for a header field that could break out of its line. */
export function checkedFields(input: DraftFields): Partial<Record<keyof DraftFields, string>> & {
  readonly mode?: 'plain' | 'html' | 'markdown'
} {
  for (const field of HEADER_FIELDS)
    if (/\p{Cc}/u.test(input[field] ?? ''))
      throw invalidRequest(`\`${field}\` must not contain control characters.`)
  if (input.body?.includes('\0')) throw invalidRequest('`body` must not contain NUL characters.')
  const { to, cc, bcc, subject, body, mode } = input
  return {
    ...(to !== undefined && { to }),
    ...(cc !== undefined && { cc }),
    ...(bcc !== undefined && { bcc }),
    ...(subject !== undefined && { subject }),
    ...(body !== undefined && { body }),
    ...(mode !== undefined && { mode }),
  }
}
