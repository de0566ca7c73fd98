import { Command } from 'commander'

export const serveCommand = () =>
  new Command('serve')
    .description('run the service: the API, the pages and the sync of every account')
    .option('--handlers-only', 'run only the API and the pages; svc sidecar runs the rest')
    .action(async (options: { handlersOnly?: true }, command: Command) => {
      const { serve, serveHandlersOnly } = await import('../../../runtime/entries/serve.ts')
      const exitCode = await (options.handlersOnly ? serveHandlersOnly() : serve())
      command.setOptionValue('exitCode', exitCode)
    })
