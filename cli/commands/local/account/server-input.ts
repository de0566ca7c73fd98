import type { ServerInput } from '../../../../domain/accounts/account-settings.ts'
import type { ServerOptions } from './options.ts'

/** What the options say of one server; nothing for what was not given. */
export function serverInput(
  options: ServerOptions,
  protocol: 'imap' | 'smtp',
): Partial<ServerInput> {
  const host = options[`${protocol}Host`]
  const port = options[`${protocol}Port`]
  const tls = options[`${protocol}Tls`]
  const user = options[`${protocol}User`]
  return {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(tls !== undefined && { tls }),
    ...(user !== undefined && { user }),
  }
}
