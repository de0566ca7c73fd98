import type { Command } from 'commander'

/**
 * Gives options that were written with one dash their second one: `-forward-to` and `--forward-to` are the same.
 * Values of options and whatever follows `--` stay as they are.
 */
export function normaliseArgv(args: readonly string[], program: Command): string[] {
  const takesValue = longOptions(program)
  const normalised: string[] = []
  let isValue = false
  for (const [index, arg] of args.entries()) {
    if (arg === '--' && !isValue) return [...normalised, ...args.slice(index)]
    const [name = '', value] = arg.replace(/^-(?=[^-]{2})/, '--').split(/=(.*)/s, 2)
    const isOption: boolean = !isValue && takesValue.has(name)
    normalised.push(isOption ? name + (value === undefined ? '' : `=${value}`) : arg)
    isValue = isOption && value === undefined && takesValue.get(name) === true
  }
  return normalised
}

/** Every long option of the program and its commands, and whether a value must follow it. */
function longOptions(command: Command): Map<string, boolean> {
  const options = new Map<string, boolean>([['--help', false]])
  for (const { long, required } of command.options) if (long) options.set(long, required)
  for (const child of command.commands)
    for (const [name, takesValue] of longOptions(child)) options.set(name, takesValue)
  return options
}
