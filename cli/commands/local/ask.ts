import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandFailed, EXIT } from '../../exit.ts'

const silent = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** Asks on the terminal without showing what is typed. */
export const askSecretly = (question: string): Promise<string> => ask(question, silent())

/** Asks on the terminal; anything but a yes is a no. */
export async function confirm(question: string): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test(await ask(`${question} [y/N] `, process.stderr))
}

function ask(question: string, echo: NodeJS.WritableStream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // Questions are not data: standard output stays free for what the command prints.
  process.stderr.write(question)
  const terminal = createInterface({ input: process.stdin, output: echo, terminal: true })
  terminal.once('line', (line) => {
    resolve(line)
    terminal.close()
  })
  terminal.once('SIGINT', () => terminal.close())
  terminal.once('close', () => {
    process.stderr.write('\n')
    reject(new CommandFailed('', EXIT.interrupted))
  })
  return promise
}
