import { Command, InvalidArgumentError, Option } from 'commander'
import { CommandFailed, EXIT } from '../../../exit.ts'
import type {
  AddOptions,
  AuthoriseOptions,
  FoldersOptions,
  OutputOptions,
  SetOptions,
} from './options.ts'

const PASSWORD_HELP = `
A password is the first line of standard input with --password-stdin, else SVC_PASSWORD where that
is set, else asked for. One of its own for SMTP is the second line, or SVC_SMTP_PASSWORD.`

const SOURCES_HELP = `
Sources of all messages are kept unless --keep-sources says how many days back; in JSON that is
keep_sources_days, and null means all.`

const NO_PASSWORD_OPTION =
  'A password is never an option, because every program on this machine can read the command line. ' +
  'Type it when asked, pipe it to --password-stdin, or set SVC_PASSWORD.'

const PORTS_HELP = `
Ports follow the TLS mode unless given: IMAP 993 (implicit) or 143, SMTP 465 (implicit) or 587.`

const OAUTH_HELP = `
OAuth2 needs a client id of your own: SVC_OAUTH_GOOGLE_CLIENT_ID or SVC_OAUTH_MICROSOFT_CLIENT_ID.`

const DEVICE_HELP = 'authorise by a code on any device (Microsoft) instead of a browser here'

export const accountCommand = () =>
  new Command('account')
    .description('add, change, authorise, list, test, remove and discover mail accounts')
    .addCommand(addCommand())
    .addCommand(setCommand())
    .addCommand(authoriseCommand())
    .addCommand(listCommand())
    .addCommand(foldersCommand())
    .addCommand(removeCommand())
    .addCommand(testCommand())
    .addCommand(discoverCommand())

const addCommand = () =>
  withServerOptions(new Command('add'), true)
    .description('add a mail account, after trying to log in')
    .option('--no-test', 'add it without trying to log in')
    .addOption(oauthOption('log in by OAuth2, without a password'))
    .option('--device', DEVICE_HELP)
    .addHelpText('after', PORTS_HELP + PASSWORD_HELP + SOURCES_HELP + OAUTH_HELP)
    .action(async (options: AddOptions) => {
      const { addAccountCommand } = await import('./add.ts')
      await addAccountCommand(options)
    })

const authoriseCommand = () =>
  new Command('authorise')
    .alias('authorize')
    .argument('<account>', 'its name or id')
    .description('authorise a mail account that logs in by OAuth2 again, for the same mailbox')
    .addOption(oauthOption('log in by OAuth2 from now on, in place of a password'))
    .option('--device', DEVICE_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', OAUTH_HELP)
    .action(async (account: string, options: AuthoriseOptions) => {
      const { authoriseAccountCommand } = await import('./authorise.ts')
      await authoriseAccountCommand(account, options)
    })

const oauthOption = (description: string) =>
  new Option('--oauth <provider>', description).choices(['google', 'microsoft'])

const setCommand = () =>
  withServerOptions(new Command('set'), false)
    .argument('<account>', 'its name or id')
    .description('change settings of a mail account, after trying to log in')
    .option('--new-password', 'take a new password from SVC_PASSWORD, or ask for it')
    .addOption(
      new Option(
        '--transcript <mode>',
        'write what is said to its IMAP server into a file, without passwords and messages',
      ).choices(['on', 'off']),
    )
    .addOption(
      new Option(
        '--sent-copy <mode>',
        'file copies of what is sent in Sent; auto: unless the server is known to do so itself',
      ).choices(['auto', 'always', 'never']),
    )
    .option('--no-test', 'change it without trying to log in')
    .addHelpText('after', PORTS_HELP + PASSWORD_HELP + SOURCES_HELP)
    .action(async (account: string, options: SetOptions) => {
      const { setAccountCommand } = await import('./set.ts')
      await setAccountCommand(account, options)
    })

const listCommand = () =>
  new Command('list')
    .description('list the mail accounts, their settings and how their sync stands')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const { listAccountsCommand } = await import('./list.ts')
      await listAccountsCommand(options)
    })

const foldersCommand = () =>
  new Command('folders')
    .argument('<account>', 'its name or id')
    .description('list the folders of a mail account, and choose whose changes become events')
    .option('--watch <path...>', 'sync these continuously, as inbox, Sent and Drafts are')
    .option('--unwatch <path...>', 'look at these every ten minutes only')
    .option('--json', 'print JSON')
    .action(async (account: string, options: FoldersOptions) => {
      const { accountFoldersCommand } = await import('./folders.ts')
      await accountFoldersCommand(account, options)
    })

const removeCommand = () =>
  new Command('remove')
    .argument('<account>', 'its name or id')
    .description('remove a mail account and its mail from here; nothing changes on its server')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action(async (account: string, options: OutputOptions & { yes?: true }) => {
      const { removeAccountCommand } = await import('./remove.ts')
      await removeAccountCommand(account, options)
    })

const testCommand = () =>
  new Command('test')
    .argument('<account>', 'its name or id')
    .description('log in to both servers of a mail account and say what they answered')
    .option('--json', 'print JSON')
    .action(async (account: string, options: OutputOptions) => {
      const { testAccountCommand } = await import('./test.ts')
      await testAccountCommand(account, options)
    })

const discoverCommand = () =>
  new Command('discover')
    .argument('<address>', 'a mail address')
    .description('find the servers of a mail address, say where each was looked for, store nothing')
    .option('--json', 'print JSON')
    .action(async (address: string, options: OutputOptions) => {
      const { discoverAccountCommand } = await import('./discover.ts')
      await discoverAccountCommand(address, options)
    })

function withServerOptions(command: Command, isNew: boolean): Command {
  command
    .addOption(new Option('--email <address>', 'its address').makeOptionMandatory(isNew))
    .option('--name <name>', `its name here${isNew ? '; the address unless given' : ''}`)
  for (const protocol of ['imap', 'smtp'] as const) {
    const label = protocol.toUpperCase()
    const user = protocol === 'imap' ? 'the address' : 'the IMAP user'
    command
      .option(
        `--${protocol}-host <host>`,
        `${label} server${isNew ? '; found by the address unless given' : ''}`,
      )
      .option(`--${protocol}-port <port>`, `${label} port`, portNumber)
      .addOption(
        new Option(
          `--${protocol}-tls <mode>`,
          `how ${label} is secured${isNew ? '; implicit unless given' : ''}`,
        ).choices(['implicit', 'starttls', 'none']),
      )
      .option(`--${protocol}-user <user>`, `${label} user${isNew ? `; ${user} unless given` : ''}`)
  }
  return command
    .option('--keep-sources <days>', 'keep full sources this many days back, or all', daysOrAll)
    .option('--password-stdin', 'read the password from standard input')
    .addOption(new Option('--password [value]').hideHelp())
    .option('--json', 'print JSON')
    .hook('preAction', refusePasswordOption)
}

function refusePasswordOption(_command: Command, action: Command): void {
  if (action.getOptionValue('password') !== undefined)
    throw new CommandFailed(NO_PASSWORD_OPTION, EXIT.usage)
}

function daysOrAll(text: string): number | 'all' {
  if (text === 'all') return 'all'
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of days, or all.')
}

function portNumber(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a whole number from 1 to 65535.')
}
