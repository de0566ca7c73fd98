import type { Needs } from '../../../runtime/ports/runtime.ts'
import { saveKeptTokens } from './save-tokens.ts'
import { claimRefresh, findGrant, untilRefreshed, type StoredGrant } from './stored-grant.ts'
import { failureOf, refresh } from './refresh.ts'

/** A token that ends sooner would end on the way. */
const RENEWED_BEFORE_MS = 60_000

type Ctx = Needs<'store' | 'secretBox' | 'outbound' | 'clock'>

/**
 * The account's access token, renewed when it has less than a minute left or is the one that was `refused`;
 * undefined for an account without a grant. Whoever asks meanwhile, here or in another process, waits for the one
 * refresh. Throws a `MailServerError`: `auth` when its owner has to authorise again, `unreachable` when the token
 * endpoint fails.
 */
export async function findAccessToken(
  ctx: Ctx,
  accountId: number,
  refused?: string,
): Promise<string | undefined> {
  for (;;) {
    const grant = await findGrant(ctx, accountId)
    if (!grant) return undefined
    if (await saveKeptTokens(ctx, grant)) continue
    const token = await ctx.secretBox.open(grant.sealedAccessToken)
    if (isFresh(ctx, grant) && token !== refused) return token
    const claimed = await claimRefresh(ctx, grant)
    const renewed = claimed ? await refresh(ctx, claimed) : await refreshOfAnother(ctx, grant)
    if (renewed !== undefined) return renewed
  }
}

const isFresh = ({ clock }: Ctx, { accessTokenExpiresAt }: StoredGrant) =>
  accessTokenExpiresAt - RENEWED_BEFORE_MS > clock.now().getTime()

/** Undefined where nothing came of it, as when its process died. */
async function refreshOfAnother(ctx: Ctx, before: StoredGrant): Promise<string | undefined> {
  const after = await untilRefreshed(ctx, before)
  if (!after) return undefined
  if (after.revision !== before.revision) return ctx.secretBox.open(after.sealedAccessToken)
  if (after.refreshFailure) throw failureOf(after.refreshFailure)
  return undefined
}
