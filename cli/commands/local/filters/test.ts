import { getAccountByName } from '../../../../domain/accounts/get-by-name.ts'
import { getFilter } from '../../../../domain/filters/get.ts'
import { testFilter, type FilterTest } from '../../../../domain/filters/test.ts'
import { withLocalRuntime, type LocalRuntime } from '../../../../runtime/entries/local.ts'
import { note, printJson, printTable } from '../../../output.ts'
import type { TestFilterOptions } from './options.ts'

/** `svc filters test`. */
export async function testFilterCommand(
  id: number | undefined,
  options: TestFilterOptions,
): Promise<void> {
  const { looked, matches } = await withLocalRuntime(async (runtime) =>
    testFilter(runtime, await ruleOf(runtime, id, options)),
  )
  if (options.json) {
    printJson({ looked, matches: matches.map(matchJson) })
    return
  }
  if (matches.length > 0)
    printTable(['ID', 'ACCOUNT', 'DATE', 'FROM', 'SUBJECT'], matches.map(cells))
  note(`It would match ${matches.length} of the newest ${looked} messages.`)
}

async function ruleOf(
  runtime: LocalRuntime,
  id: number | undefined,
  { account, condition = [] }: TestFilterOptions,
) {
  if (id !== undefined) return getFilter(runtime, id)
  const accountId = account === undefined ? null : (await getAccountByName(runtime, account)).id
  return { accountId, conditions: condition }
}

type Match = FilterTest['matches'][number]

const matchJson = ({ id, account, folderId, date, from, subject }: Match) => ({
  id,
  account,
  folder_id: folderId,
  date: new Date(date).toISOString(),
  from: from[0],
  subject,
})

const cells = ({ id, account, date, from, subject }: Match) => [
  String(id),
  account,
  new Date(date).toISOString(),
  from[0]?.address ?? '',
  subject,
]
