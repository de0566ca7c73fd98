import { SCOPES } from '../../../../domain/scopes.ts'
import { createToken } from '../../../../domain/tokens/create.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { note, print, printJson } from '../../../output.ts'
import type { CreateTokenOptions } from './options.ts'
import { parseExpiry } from './expiry.ts'
import { tokenJson } from './present.ts'

/** `svc token create`: the token alone on standard output, so that it can be piped. */
export async function createTokenCommand(options: CreateTokenOptions): Promise<void> {
  const expiresAt =
    options.expires === undefined ? undefined : parseExpiry(options.expires, new Date())
  if (options.expires !== undefined && !expiresAt)
    throw new CommandFailed('--expires takes 12h, 90d, 8w or a day such as 2030-12-31.', EXIT.usage)
  noteUnknownScopes(options.scopes)

  const { secret, token } = await withLocalRuntime((runtime) =>
    createToken(runtime, {
      label: options.label,
      scopes: options.scopes,
      ...(expiresAt && { expiresAt }),
    }),
  )
  if (options.json) printJson({ ...tokenJson(token), token: secret })
  else print(secret)
  const until = token.expiresAt ? ` until ${token.expiresAt.toISOString()}` : ''
  note(`Token ${token.id} may ${token.scopes.join(', ')}${until}. It is shown this once.`)
}

function noteUnknownScopes(scopes: string): void {
  const known: readonly string[] = SCOPES
  for (const scope of scopes.split(/\s+/))
    if (scope !== '' && !known.includes(scope)) note(`There is no scope ${scope}; it was left out.`)
}
