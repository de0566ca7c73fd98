import { Command } from 'commander'

export const openapiCommand = () =>
  new Command('openapi')
    .description('print the OpenAPI description of the API as JSON')
    .option('--json', 'as it is in any case')
    .action(async () => {
      const { openApiText } = await import('../../../runtime/entries/openapi.ts')
      process.stdout.write(openApiText())
    })
