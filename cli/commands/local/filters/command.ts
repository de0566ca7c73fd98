import { Command, InvalidArgumentError } from 'commander'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { parseCondition } from './condition.ts'
import type { Condition, TestFilterOptions } from './options.ts'

export const filtersCommand = () =>
  new Command('filters').description('try filter rules').addCommand(testCommand())

const testCommand = () =>
  new Command('test')
    .argument('[id]', 'the id of a rule; or give conditions', ruleId)
    .description(
      'show which of the newest 200 messages in the inbox a rule would match, and do nothing',
    )
    .option(
      '--condition <condition>',
      'such as "subject contains invoice" or "from regex @example\\.(com|net)$"; all given have to hold',
      another,
    )
    .option('--account <account>', 'name or id of the account; every one unless given')
    .option('--json', 'print JSON')
    .action(async (id: number | undefined, options: TestFilterOptions) => {
      if ((id === undefined) === (options.condition === undefined))
        throw new CommandFailed('Give the id of a rule, or --condition.', EXIT.usage)
      if (id !== undefined && options.account !== undefined)
        throw new CommandFailed('A rule has its account already.', EXIT.usage)
      const { testFilterCommand } = await import('./test.ts')
      await testFilterCommand(id, options)
    })

function ruleId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a positive whole number.')
}

function another(text: string, conditions: readonly Condition[] = []): readonly Condition[] {
  const condition = parseCondition(text)
  if (condition) return [...conditions, condition]
  throw new InvalidArgumentError(
    'It must be from, to, subject or body, then contains or regex, then what to look for.',
  )
}
