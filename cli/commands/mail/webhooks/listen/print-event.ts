import { note, oneLine, print } from '../../../../output.ts'
import type { Executed } from './execute.ts'
import type { Forwarded } from './forward.ts'
import type { EventLine } from './listener-line.ts'

interface Outcome {
  readonly forward?: Forwarded
  readonly execute?: Executed
}

/** Prints an event that nothing else is done with: a line of JSON, or one for people. */
export function printEvent(line: EventLine, isJson: boolean): void {
  print(isJson ? JSON.stringify(line) : `${words(line)}  ${summary(line.payload.data)}`.trimEnd())
}

/**
 * Prints what became of an event. Standard output belongs to the command where one is run, so that its output can be
 * piped on.
 */
export function printOutcome(line: EventLine, outcome: Outcome, isJson: boolean): void {
  const say = outcome.execute ? note : print
  const { event, id, payload } = line
  if (isJson) say(JSON.stringify({ event, id, delivery_id: payload.id, ...outcome }))
  else say([words(line), ...forwardWords(outcome), ...executeWords(outcome)].join('  '))
}

const words = ({ event, payload }: EventLine): string =>
  oneLine(`${payload.created_at}  ${event.padEnd('message.received'.length)}  ${payload.id}`)

function forwardWords({ forward }: Outcome): readonly string[] {
  if (!forward) return []
  const { status, error, duration_ms } = forward
  return [`-> ${status ?? `failed: ${error}`} (${duration_ms} ms)`]
}

function executeWords({ execute }: Outcome): readonly string[] {
  if (!execute) return []
  const { exit_code, signal, error, duration_ms } = execute
  const how = error ?? (signal === undefined ? `exit ${exit_code}` : `killed by ${signal}`)
  return [`$ ${how} (${duration_ms} ms)`]
}

/** What tells one event from another at a glance. */
function summary(data: Readonly<Record<string, unknown>>): string {
  const { account, change, subject, error, query } = data
  return [account, change, subject ?? error ?? query]
    .filter((part) => typeof part === 'string')
    .map(oneLine)
    .join('  ')
}
