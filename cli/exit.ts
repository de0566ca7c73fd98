/** Exit codes of the command line. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Not signed in, or the token lacks the scope. */
  refused: 4,
  licence: 5,
  interrupted: 130,
} as const

/** Ends a command; the message, unless it is empty, goes to standard error as one line. */
export class CommandFailed extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.name = 'CommandFailed'
    this.exitCode = exitCode
  }
}
