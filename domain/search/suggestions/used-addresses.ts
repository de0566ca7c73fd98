import type { Address, contents } from '../../../db/schema/contents.ts'
import { fold } from '../fold.ts'
import { indexText } from '../index-text.ts'
import { weightOf } from './weight.ts'

/** Of each field so many count: who writes to hundreds at once corresponds with none of them. */
const ADDRESSES_MAX = 50
/** 64 octets, "@" and 255 octets (RFC 5321 section 4.5.3.1). */
const ADDRESS_CHARS_MAX = 320
const NAME_CHARS_MAX = 200
const ADDRESS = /^[^\p{Cc}\s]+@[^\p{Cc}\s]+$/u
/** How likely somebody is written to who has written, or who stood beside the owner, next to one who was written to. */
const AUTHOR_SHARE = 0.1
const BESIDE_SHARE = 0.05

/** A message as it counts. */
export interface Correspondence extends Pick<
  typeof contents.$inferSelect,
  'id' | 'from' | 'to' | 'cc' | 'bcc'
> {
  readonly dateMs: number
  /** Whether it lies among sent mail. */
  readonly isSent: boolean
}

/** An address in one message, and what that adds to its scores. */
export interface UsedAddress {
  /** The address folded. */
  readonly key: string
  readonly address: string
  readonly name?: string
  readonly senderScore: number
  readonly recipientScore: number
}

/**
 * The addresses that a message speaks for. The owner's own, which stand in all mail, say nothing: `ownKeys` are these,
 * folded. What is dated ahead counts as of `nowMs`.
 */
export function usedAddresses(
  { from, to, cc, bcc, dateMs, isSent }: Correspondence,
  { ownKeys, nowMs }: { readonly ownKeys: ReadonlySet<string>; readonly nowMs: number },
): readonly UsedAddress[] {
  const weight = weightOf(Math.min(dateMs, nowMs))
  const authors = from.slice(0, ADDRESSES_MAX).flatMap(named)
  const others = [to, cc, bcc].flatMap((field) => field.slice(0, ADDRESSES_MAX).flatMap(named))
  const isOwners = isSent || authors.some(({ key }) => ownKeys.has(key))
  const written = isOwners ? weight : weight * BESIDE_SHARE
  const used = [
    ...(isOwners ? [] : authors).map((author) => ({
      ...author,
      senderScore: weight,
      recipientScore: weight * AUTHOR_SHARE,
    })),
    ...others.map((other) => ({ ...other, senderScore: 0, recipientScore: written })),
  ]
  return used.filter(({ key }) => !ownKeys.has(key))
}

function named({ name, address }: Address) {
  if (address.length > ADDRESS_CHARS_MAX || !ADDRESS.test(address)) return []
  const key = fold(address)
  // The search index could not say whether it stands in any mail.
  if (indexText(key) === '') return []
  // Many programs give the address for a name.
  const isName = name && name.length <= NAME_CHARS_MAX && fold(name) !== key
  return [{ key, address, ...(isName && { name }) }]
}
