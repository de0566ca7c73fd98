import { parseArgs } from 'node:util'

const PARTS = ['mailbox', 'folders', 'accounts', 'acting', 'sending', 'webhooks', 'search'] as const
const MESSAGES = 20_000
/** In a small mailbox every search is quick. */
const SEARCHED_MESSAGES = 100_000

type Part = (typeof PARTS)[number]

/** What the bench is asked to do. */
export interface BenchOptions {
  readonly messages: number
  /** Of the mailbox that is searched. */
  readonly searchedMessages: number
  readonly accounts: number
  /** Whether a mailbox of five times the messages is synced too. */
  readonly scale: boolean
  readonly parts: ReadonlySet<Part>
  /** Where the figures go as JSON, too. */
  readonly json: string | undefined
}

/** The options of the command line; throws a `RangeError` for one that cannot be. */
export function benchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      messages: { type: 'string' },
      accounts: { type: 'string', default: '100' },
      scale: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      json: { type: 'string' },
    },
  })
  const messages = (usual: number) =>
    wholeNumber('--messages', values.messages ?? String(usual), 500)
  return {
    messages: messages(MESSAGES),
    searchedMessages: messages(SEARCHED_MESSAGES),
    accounts: wholeNumber('--accounts', values.accounts, 2),
    scale: values.scale,
    parts: new Set(values.only?.map((name) => part(name)) ?? PARTS),
    json: values.json,
  }
}

function wholeNumber(option: string, value: string, least: number): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new RangeError(`${option} takes a whole number from ${least}.`)
}

function part(name: string): Part {
  const known = PARTS.find((one) => one === name)
  if (known) return known
  throw new RangeError(`--only takes one of ${PARTS.join(', ')}.`)
}
