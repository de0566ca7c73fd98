import { asc } from 'drizzle-orm'
import type { Address } from '../../db/schema/contents.ts'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { nameKey } from '../accounts/name-key.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { DomainError, invalidRequest } from '../errors.ts'
import { prepared } from '../prepared.ts'
import { parseAddress } from './addresses.ts'
import { withAsciiDomain } from './mail-domain.ts'

export interface SenderInput {
  /** The name of the account. */
  readonly account?: string | undefined
  /** An address with or without a display name. */
  readonly from?: string | undefined
}

export interface Sender {
  readonly accountId: number
  readonly from: Address
}

type Account = Pick<typeof accounts.$inferSelect, 'id' | 'nameKey' | 'email'>

const senders = prepared((read) =>
  read
    .select({ id: accounts.id, nameKey: accounts.nameKey, email: accounts.email })
    .from(accounts)
    .where(isNotRemoved)
    .orderBy(asc(accounts.id))
    .prepare(),
)

/**
 * Who sends: `account`, else whose address `from` is, else the account of the message that is answered, else the only
 * one (contract section 4). Beside a named account `from` may be any address: its server knows its aliases. Throws
 * `not_found` for an unknown account, and `invalid_request`.
 */
export async function sendingAccount(
  { store }: Needs<'store'>,
  { account: name = '', from: fromText = '' }: SenderInput,
  answeredAccountId: number | undefined,
): Promise<Sender> {
  const from = fromText.trim() === '' ? undefined : parseAddress('from', fromText)
  const known = await senders(store.read).all()
  const account =
    name.trim() === ''
      ? unnamed(known, { from: from?.address, answeredAccountId })
      : named(known, name)
  return { accountId: account.id, from: from ?? { address: ownAddress(account) } }
}

function named(known: readonly Account[], name: string): Account {
  const account = known.find((one) => one.nameKey === nameKey(name))
  if (!account) throw new DomainError('not_found', `account: there is no account "${name}".`)
  return account
}

function unnamed(
  known: readonly Account[],
  { from, answeredAccountId }: { from: string | undefined; answeredAccountId: number | undefined },
): Account {
  const candidates =
    from === undefined
      ? known
      : known.filter((one) => addressKey(ownAddress(one)) === addressKey(from))
  if (from !== undefined && candidates.length === 0) {
    throw invalidRequest(
      'from: no account has this address; to send as an alias, name the account.',
    )
  }
  const answered = candidates.find(({ id }) => id === answeredAccountId)
  const [only, another] = candidates
  if (answered) return answered
  if (only && !another) return only
  throw invalidRequest(
    only ? 'account: name it, for there are several.' : 'account: there is none to send from.',
  )
}

const ownAddress = ({ email }: Account): string => withAsciiDomain(email)

/** No server that people use tells local parts apart by their case. */
const addressKey = (address: string): string => address.normalize('NFC').toLowerCase()
