import { Command, InvalidArgumentError } from 'commander'
import type { DemoOptions } from './run-demo.ts'

const EVERY_S = 20
const EVERY_S_MAX = 86_400
const PORT_MAX = 65_535

export const demoCommand = () =>
  new Command('demo')
    .description('try the service on a throw-away mail server full of made-up mail')
    .option(
      '--port <port>',
      'where it answers; SVC_PORT or 8083 unless given',
      wholeNumber(0, PORT_MAX),
    )
    .option(
      '--every <seconds>',
      'how often a new message arrives',
      wholeNumber(1, EVERY_S_MAX),
      EVERY_S,
    )
    .action(async (options: DemoOptions, command: Command) => {
      const { runDemo } = await import('./run-demo.ts')
      command.setOptionValue('exitCode', await runDemo(options))
    })

const wholeNumber = (min: number, max: number) => (text: string) => {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number >= min && number <= max) return number
  throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
}
