import { Command } from 'commander'

export const searchCommand = () =>
  new Command('search').description('look after the search index').addCommand(reindexCommand())

const reindexCommand = () =>
  new Command('reindex')
    .description(
      'build the search index anew, newest messages first, while the service and searches go on',
    )
    .addHelpText('after', '\nWhen it is stopped, the next call goes on from there.')
    .action(async () => {
      const { reindexCommand } = await import('./reindex.ts')
      await reindexCommand()
    })
