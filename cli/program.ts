import { Command, CommanderError } from 'commander'
import { SERVICE_NAME, SERVICE_VERSION } from '../domain/identity.ts'
import { normaliseArgv } from './argv.ts'
import { accountCommand } from './commands/local/account/command.ts'
import { demoCommand } from './commands/local/demo/command.ts'
import { filtersCommand } from './commands/local/filters/command.ts'
import { openapiCommand } from './commands/local/openapi.ts'
import { searchCommand } from './commands/local/search/command.ts'
import { serveCommand } from './commands/local/serve.ts'
import { sidecarCommand } from './commands/local/sidecar.ts'
import { tokenCommand } from './commands/local/token/command.ts'
import { mailCommand } from './commands/mail/command.ts'
import { CommandFailed, EXIT } from './exit.ts'
import { note, oneLine } from './output.ts'

const DESCRIPTION = `A self-hosted mail client with an automation layer over your own mailbox.
Settings are read from the environment (SVC_PORT, SVC_DATA_DIR, …); data goes to
standard output and everything else to standard error.`

/** Runs the command line and returns its exit code. Failures become one line on standard error. */
export async function run(args: readonly string[]): Promise<number> {
  const program = createProgram()
  let exitCode: number = EXIT.done
  program.hook('postAction', (_program, command) => {
    exitCode = Number(command.getOptionValue('exitCode') ?? EXIT.done)
  })
  try {
    await program.parseAsync(normaliseArgv(args, program), { from: 'user' })
    return exitCode
  } catch (error) {
    return failure(error)
  }
}

function createProgram(): Command {
  const program = new Command(SERVICE_NAME)
    .description(DESCRIPTION)
    .version(`${SERVICE_NAME} ${SERVICE_VERSION}`, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .showHelpAfterError(`(see ${SERVICE_NAME} --help)`)
    .exitOverride()
  const commands = [
    serveCommand(),
    sidecarCommand(),
    accountCommand(),
    tokenCommand(),
    filtersCommand(),
    searchCommand(),
    demoCommand(),
    openapiCommand(),
    mailCommand(),
  ]
  for (const command of commands) program.addCommand(inherit(command, program))
  return program
}

/** Commands that are built on their own do not take over the settings of their parent. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent).helpOption('-h, --help', 'show this help')
  for (const child of command.commands) inherit(child, command)
  return command
}

/** What commander objects to it has printed already. */
function failure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  if (error instanceof CommandFailed) {
    if (error.message !== '') note(`${SERVICE_NAME}: ${error.message}`)
    return error.exitCode
  }
  const message = error instanceof Error ? error.message : String(error)
  note(`${SERVICE_NAME}: ${oneLine(message)}`)
  return isRefusedInput(error) ? EXIT.usage : EXIT.failed
}

/** Values that only a verb could judge are wrong usage as much as those that commander objects to. */
const isRefusedInput = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'invalid_request'
