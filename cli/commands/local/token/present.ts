import type { TokenRecord } from '../../../../domain/tokens/token-record.ts'

/** A token as JSON; never its secret. */
export const tokenJson = (token: TokenRecord) => ({
  id: token.id,
  label: token.label,
  scopes: token.scopes,
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt?.toISOString(),
  revoked_at: token.revokedAt?.toISOString(),
  last_used_at: token.lastUsedAt?.toISOString(),
})

export const tokenState = (token: TokenRecord, now: Date): string => {
  if (token.revokedAt) return 'revoked'
  return token.expiresAt && token.expiresAt <= now ? 'expired' : 'active'
}
