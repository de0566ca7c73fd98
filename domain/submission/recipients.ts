import type { Address } from '../../db/schema/contents.ts'
import { invalidRequest } from '../errors.ts'
import { parseAddress } from './addresses.ts'

/** Who gets a message. RFC 5321 section 4.5.3.1.8 makes servers take 100 at once; many take 1,000 and few more. */
const RECIPIENTS_MAX = 1_000
/** Of all their texts: long names for a thousand. What is longer is made to keep a parser busy. */
const RECIPIENTS_CHARS_MAX = 128 * 1024
/** Whoever answers is going to write to all of them. */
const REPLY_ADDRESSES_MAX = 100

export interface RecipientInput {
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
}

export type Recipients = { readonly [Field in keyof RecipientInput]: readonly Address[] }

/**
 * The recipients, each text being one address. Throws `invalid_request` that names the field and the place in it; also
 * for nobody at all, for more than 1,000 and for what is too long in all.
 */
export function recipients({ to, cc, bcc }: RecipientInput): Recipients {
  const total = to.length + cc.length + bcc.length
  if (total === 0) throw invalidRequest('to: there must be a recipient in to, cc or bcc.')
  if (total > RECIPIENTS_MAX) {
    throw invalidRequest(
      `to: a message has at most ${RECIPIENTS_MAX} recipients in to, cc and bcc.`,
    )
  }
  const chars = [...to, ...cc, ...bcc].reduce((sum, text) => sum + text.length, 0)
  if (chars > RECIPIENTS_CHARS_MAX) {
    throw invalidRequest(
      `to: the recipients in to, cc and bcc have at most ${RECIPIENTS_CHARS_MAX} characters in all.`,
    )
  }
  return {
    to: addressesOf('to', to),
    cc: addressesOf('cc', cc),
    bcc: addressesOf('bcc', bcc),
  }
}

/** Whom answers go to. Throws as `recipients` does, but nobody is fine. */
export function replyAddresses(texts: readonly string[]): readonly Address[] {
  if (texts.length > REPLY_ADDRESSES_MAX) {
    throw invalidRequest(`reply_to: has at most ${REPLY_ADDRESSES_MAX} addresses.`)
  }
  return addressesOf('reply_to', texts)
}

const addressesOf = (field: string, texts: readonly string[]): readonly Address[] =>
  texts.map((text, index) => parseAddress(`${field}.${index}`, text))
