import type { Scope } from '../../domain/scopes.ts'
import { recheckToken } from '../../domain/tokens/recheck.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { refuseUnlicensed } from './licence.ts'
import { refuseWithout } from './scope.ts'

/** For an answer that goes on for long: throws what its request would be refused with if it came only now. */
export async function recheckRequest(
  ctx: Needs<'store' | 'clock' | 'config'>,
  { tokenId, scope }: { readonly tokenId: number; readonly scope: Scope },
): Promise<void> {
  refuseUnlicensed(ctx)
  refuseWithout(scope, await recheckToken(ctx, tokenId))
}
