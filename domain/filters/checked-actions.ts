import type { FilterAction } from '../../db/schema/filters.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { accountEmail } from '../accounts/account-settings.ts'
import { invalidRequest } from '../errors.ts'
import { findTarget } from '../folders/find-target.ts'
import { labelName } from '../messages/label-name.ts'

import type { FilterScope } from './scope.ts'

const ACTIONS_MAX = 20
/** 64 octets, "@" and 255 octets (RFC 5321 section 4.5.3.1). */
const ADDRESS_CHARS_MAX = 320

/** An action as it is asked for. */
export interface ActionInput {
  readonly type: FilterAction['type']
  readonly arg?: string | number | undefined
}

/**
 * The checked actions of a rule for mail of these accounts. Throws `invalid_request`: for an argument that is missing,
 * not allowed or malformed, for a folder that the accounts do not have, and for forwarding to one of them.
 */
export async function checkedActions(
  ctx: Needs<'store'>,
  scope: FilterScope,
  actions: readonly ActionInput[],
): Promise<readonly FilterAction[]> {
  if (actions.length === 0) throw invalidRequest('A rule needs at least one action.')
  if (actions.length > ACTIONS_MAX) {
    throw invalidRequest(`A rule has at most ${ACTIONS_MAX} actions.`)
  }
  const checked: FilterAction[] = []
  for (const action of actions) checked.push(await checkedAction(ctx, scope, action))
  return checked
}

async function checkedAction(
  ctx: Needs<'store'>,
  scope: FilterScope,
  { type, arg }: ActionInput,
): Promise<FilterAction> {
  if (type === 'move') return { type, arg: await moveTarget(ctx, scope, required(type, arg)) }
  if (type === 'label') return { type, arg: labelName(requiredText(type, arg)) }
  if (type === 'forward') return { type, arg: forwardAddress(scope, requiredText(type, arg)) }
  if (arg !== undefined) throw invalidRequest(`The action ${type} takes no arg.`)
  return { type }
}

function required(type: string, arg: ActionInput['arg']): string | number {
  if (arg === undefined || arg === '') throw invalidRequest(`The action ${type} needs an arg.`)
  return arg
}

function requiredText(type: string, arg: ActionInput['arg']): string {
  const text = required(type, arg)
  if (typeof text === 'number') throw invalidRequest(`The arg of ${type} must be a string.`)
  return text
}

function forwardAddress({ accounts }: FilterScope, arg: string): string {
  const address = accountEmail(arg)
  if (address.length > ADDRESS_CHARS_MAX) {
    throw invalidRequest(`An address has at most ${ADDRESS_CHARS_MAX} characters.`)
  }
  if (accounts.some(({ email }) => email.toLowerCase() === address.toLowerCase())) {
    throw invalidRequest('A rule cannot forward to an account whose mail it filters.')
  }
  return address
}

/** A text of digits is an id where no folder is called so. */
async function moveTarget(
  { store }: Needs<'store'>,
  { accounts, isEvery }: FilterScope,
  arg: string | number,
): Promise<string | number> {
  const targets =
    typeof arg === 'string' && /^[1-9]\d{0,14}$/.test(arg) ? [arg, Number(arg)] : [arg]
  for (const target of targets) {
    if (typeof target === 'number' && isEvery) break
    for (const { id } of accounts) {
      if ((await findTarget(store.read, id, target)) !== undefined) return target
    }
  }
  if (typeof arg === 'number' && isEvery) {
    throw invalidRequest('A rule for every account names its folder by path, not by id.')
  }
  throw invalidRequest('There is no such folder to move to.')
}
