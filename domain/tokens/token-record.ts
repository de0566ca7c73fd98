import type { tokens } from '../../db/schema/tokens.ts'
import { parseScopes, type Scope } from '../scopes.ts'

/** What may be shown of a token. */
export interface TokenRecord {
  readonly id: number
  readonly label: string
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly expiresAt?: Date
  readonly revokedAt?: Date
  readonly lastUsedAt?: Date
}

export const tokenRecord = (row: typeof tokens.$inferSelect): TokenRecord => ({
  id: row.id,
  label: row.label,
  scopes: parseScopes(row.scopes),
  createdAt: new Date(row.createdAt),
  ...(row.expiresAt === null ? {} : { expiresAt: new Date(row.expiresAt) }),
  ...(row.revokedAt === null ? {} : { revokedAt: new Date(row.revokedAt) }),
  ...(row.lastUsedAt === null ? {} : { lastUsedAt: new Date(row.lastUsedAt) }),
})
