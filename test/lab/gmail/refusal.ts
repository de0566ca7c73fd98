/** Ends a command with NO or BAD and this text, as the server says it. */
export class Refusal extends Error {
  readonly status: 'NO' | 'BAD'

  constructor(status: 'NO' | 'BAD', text: string) {
    super(text)
    this.status = status
  }
}
