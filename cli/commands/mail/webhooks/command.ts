import { Command } from 'commander'
import { apiCommand } from '../api-command.ts'
import type { ListenOptions } from './listen/listen.ts'

export const webhooksCommand = () =>
  new Command('webhooks')
    .description('manage webhooks, and listen to events without one')
    .addCommand(listenCommand())

const listenCommand = () =>
  apiCommand('listen')
    .description('tell of events as they happen, forward them, or run a command for each')
    .option('--forward-to <url>', 'POST each event there as a webhook would, signed')
    .option('--events <list>', 'only these, separated by commas; every event unless given')
    .option(
      '--execute <command>',
      'run it by sh -c for each event, one at a time, with the payload on standard input',
    )
    .action(async (options: ListenOptions) => {
      const { listenCommand } = await import('./listen/listen.ts')
      await listenCommand(options)
    })
