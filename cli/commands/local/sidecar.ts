import { Command } from 'commander'

export const sidecarCommand = () =>
  new Command('sidecar')
    .description('run only the sync, beside svc serve --handlers-only')
    .action(async (_options: object, command: Command) => {
      const { runSidecar } = await import('../../../runtime/entries/sidecar.ts')
      command.setOptionValue('exitCode', await runSidecar())
    })
