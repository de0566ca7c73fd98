import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandFailed, EXIT } from './exit.ts'

/** Asks on the terminal without showing what is typed. */
export const askSecretly = (question: string): Promise<string> => ask(question, { isSecret: true })

/** Asks on the terminal; anything but a yes is a no. */
export async function confirm(question: string): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test(await ask(`${question} [y/N] `, { isSecret: false }))
}

/** Questions are not data: standard output stays free for what the command prints. */
function ask(question: string, { isSecret }: { readonly isSecret: boolean }): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isSecret ? silence : process.stderr
  // From here on the terminal itself shows nothing of what is typed, so the question comes after it.
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  process.stderr.write(question)
  let isAnswered = false
  terminal.once('line', (line) => {
    isAnswered = true
    resolve(line)
    terminal.close()
  })
  terminal.once('SIGINT', () => terminal.close())
  terminal.once('close', () => {
    // The end of the line that was typed, unless it was shown.
    if (isSecret || !isAnswered) process.stderr.write('\n')
    reject(new CommandFailed('', EXIT.interrupted))
  })
  return promise
}
