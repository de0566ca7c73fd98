/** What a token may do (spec section 5), in the order they are shown. */
export const SCOPES = [
  'mail:read',
  'mail:send',
  'mail:modify',
  'accounts:read',
  'webhooks:manage',
] as const

export type Scope = (typeof SCOPES)[number]

/** Reads a space-separated scope set. Unknown ones are dropped; a set that is empty then means `mail:read`. */
export function parseScopes(input: string): readonly Scope[] {
  const asked = new Set(input.split(/\s+/))
  const known = SCOPES.filter((scope) => asked.has(scope))
  return known.length > 0 ? known : ['mail:read']
}
