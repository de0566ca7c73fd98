import type { Address } from '../../../db/schema/contents.ts'
import { parseAddress } from '../../submission/addresses.ts'
import type { Draft } from '../draft-record.ts'
import { addressList } from './address-list.ts'

/** As many as a message may have. */
const REPLY_ADDRESSES_MAX = 100

/**
 * Who a draft of another mail program is from, and to whom answers go: what of it a message can name, for nobody sees
 * these here, to mend them. No `from` where it is several, or just `own`, the account's address.
 */
export function sendersOf(
  copy: { readonly from: readonly Address[]; readonly replyTo: readonly Address[] },
  own: string,
): Pick<Draft, 'from' | 'replyTo'> {
  const [from, ...others] = copy.from.flatMap(sendable)
  const isOwn = from?.name === undefined && from?.address.toLowerCase() === own.toLowerCase()
  return {
    from: from === undefined || others.length > 0 || isOwn ? null : from,
    replyTo: copy.replyTo.flatMap(sendable).slice(0, REPLY_ADDRESSES_MAX),
  }
}

function sendable(address: Address): readonly Address[] {
  try {
    return [parseAddress('from', addressList([address]))]
  } catch {
    return []
  }
}
