import { Command, Option } from 'commander'
import type { ServiceOptions } from '../../api-client.ts'

/** What every command takes that talks to a running service. */
export interface ApiCommandOptions extends ServiceOptions {
  readonly json?: true
}

/** A command that talks to a running service. */
export const apiCommand = (name: string): Command =>
  new Command(name)
    .addOption(
      new Option('--url <url>', 'where the service answers (http://127.0.0.1:8083)').env('SVC_URL'),
    )
    .addOption(
      new Option('--token <token>', 'who asks; in the environment nobody else sees it').env(
        'SVC_TOKEN',
      ),
    )
    .option('--json', 'print JSON')
