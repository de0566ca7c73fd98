import { decodeBytes } from '../mime/charset.ts'
import { parseHeaders } from '../mime/headers.ts'

export const HEADER_CHOICES = ['raw', 'parsed', 'both'] as const
export type HeaderChoice = (typeof HEADER_CHOICES)[number]

/** The header of a message in the form asked for, or why there is none. */
export type MessageHeaders =
  | {
      readonly headers: {
        readonly raw?: string
        readonly parsed?: Readonly<Record<string, readonly string[]>>
      }
    }
  | { readonly headersError: string }

/** Turns a stored header block into what was asked for; null is a block that is not stored. */
export function readHeaders(headersRaw: Uint8Array | null, choice: HeaderChoice): MessageHeaders {
  if (!headersRaw) return { headersError: 'The header of this message is not stored.' }
  return {
    headers: {
      ...(choice === 'parsed' ? {} : { raw: decodeBytes(headersRaw) }),
      ...(choice === 'raw' ? {} : { parsed: Object.fromEntries(parseHeaders(headersRaw)) }),
    },
  }
}
