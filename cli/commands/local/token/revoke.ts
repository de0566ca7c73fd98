import { revokeToken } from '../../../../domain/tokens/revoke.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { print, printJson } from '../../../output.ts'
import { tokenJson } from './present.ts'

/** `svc token revoke`. */
export async function revokeTokenCommand(
  id: number,
  options: { readonly json?: true },
): Promise<void> {
  const token = await withLocalRuntime((runtime) => revokeToken(runtime, { id }))
  if (options.json) printJson(tokenJson(token))
  else print(`Revoked token ${token.id} (${token.label}).`)
}
