import { text } from 'node:stream/consumers'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { askSecretly } from '../../../ask.ts'

export interface Passwords {
  readonly password: string
  /** Only when SMTP has one of its own. */
  readonly smtpPassword?: string
}

interface Sources {
  readonly fromStdin: boolean
  readonly environment: { readonly imap?: string | undefined; readonly smtp?: string | undefined }
}

/** The passwords from standard input, else from the environment, else as typed. */
export async function readPasswords({ fromStdin, environment }: Sources): Promise<Passwords> {
  if (fromStdin) {
    const [password = '', smtpPassword = ''] = (await text(process.stdin)).split(/\r?\n/)
    return passwords(password, smtpPassword)
  }
  if (environment.imap) return passwords(environment.imap, environment.smtp ?? '')
  if (!process.stdin.isTTY)
    throw new CommandFailed(
      'There is no terminal to ask for the password on: use --password-stdin or SVC_PASSWORD.',
      EXIT.usage,
    )
  return passwords(await askSecretly('Password: '), environment.smtp ?? '')
}

function passwords(password: string, smtpPassword: string): Passwords {
  if (password === '') throw new CommandFailed('The password is empty.', EXIT.usage)
  return smtpPassword === '' ? { password } : { password, smtpPassword }
}
