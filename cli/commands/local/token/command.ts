import { Command, InvalidArgumentError } from 'commander'
import { SCOPES } from '../../../../domain/scopes.ts'
import type { CreateTokenOptions } from './options.ts'

export const tokenCommand = () =>
  new Command('token')
    .description('create, list and revoke tokens for the API')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())

const createCommand = () =>
  new Command('create')
    .description('create a token and print it, this once')
    .requiredOption('--label <text>', 'what it is for')
    .option(
      '--scopes <scopes>',
      `what it may do, separated by spaces: ${SCOPES.join(' ')}`,
      'mail:read',
    )
    .option(
      '--expires <when>',
      'after a time such as 12h, 90d or 8w, or at the end of a day such as 2030-12-31 (UTC)',
    )
    .option('--json', 'print JSON')
    .action(async (options: CreateTokenOptions) => {
      const { createTokenCommand } = await import('./create.ts')
      await createTokenCommand(options)
    })

const listCommand = () =>
  new Command('list')
    .description('list the tokens; not their secrets, which are stored nowhere')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const { listTokensCommand } = await import('./list.ts')
      await listTokensCommand(options)
    })

const revokeCommand = () =>
  new Command('revoke')
    .argument('<id>', 'its id, as svc token list shows it', tokenId)
    .description('revoke a token; its next request is refused')
    .option('--json', 'print JSON')
    .action(async (id: number, options: { json?: true }) => {
      const { revokeTokenCommand } = await import('./revoke.ts')
      await revokeTokenCommand(id, options)
    })

function tokenId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a positive whole number.')
}
