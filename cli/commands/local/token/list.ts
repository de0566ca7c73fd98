import { listTokens } from '../../../../domain/tokens/list.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { note, printJson, printTable } from '../../../output.ts'
import { tokenJson, tokenState } from './present.ts'

/** `svc token list`. */
export async function listTokensCommand(options: { readonly json?: true }): Promise<void> {
  const tokens = await withLocalRuntime(listTokens)
  if (options.json) {
    printJson(tokens.map(tokenJson))
    return
  }
  if (tokens.length === 0) {
    note('There are no tokens yet; svc token create creates one.')
    return
  }
  const now = new Date()
  printTable(
    ['ID', 'LABEL', 'SCOPES', 'STATE', 'EXPIRES', 'LAST USED'],
    tokens.map((token) => [
      String(token.id),
      token.label,
      token.scopes.join(' '),
      tokenState(token, now),
      token.expiresAt?.toISOString() ?? 'never',
      token.lastUsedAt?.toISOString() ?? 'never',
    ]),
  )
}
