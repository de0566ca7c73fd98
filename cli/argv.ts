import type { Command } from 'commander'

/** The arguments as commander reads them, however the options were written. */
export const normaliseArgv = (args: readonly string[], program: Command): string[] =>
  jsonBehindCommand(doubleDashes(args, program), program)

/** `svc --json token list` and `svc token --json list` are `svc token list --json`. */
function jsonBehindCommand(args: readonly string[], program: Command): string[] {
  const names: string[] = []
  const options: string[] = []
  let command = program
  for (const arg of args) {
    const child = command.commands.find((candidate) => candidate.name() === arg)
    if (!child && arg !== '--json') break
    if (child) names.push(arg)
    else options.push(arg)
    command = child ?? command
  }
  return [...names, ...options, ...args.slice(names.length + options.length)]
}

/**
 * Gives options that were written with one dash their second one: `-forward-to` and `--forward-to` are the same.
 * Values of options and whatever follows `--` stay as they are.
 */
function doubleDashes(args: readonly string[], program: Command): string[] {
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
