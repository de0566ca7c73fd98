import type {
  MessageToSubmit,
  OutgoingParts,
  Submission,
  Submitted,
} from '../../runtime/ports/submission.ts'

/** A step of a hand-over: before the server's go-ahead, after it was written down, and before the answer. */
export type Step = 'before' | 'begun' | 'taken'

/** An SMTP server that keeps what it takes, and does at each step what a test wants. */
export interface ScriptedSubmission extends Submission {
  /** The sources that were handed over, in order. */
  readonly taken: readonly string[]
  /** How many are at it at the moment, and how many were at most. */
  readonly atOnce: () => { readonly now: number; readonly most: number }
}

export function scriptedSubmission(
  onStep: (step: Step, source: string) => Promise<void> | void = () => undefined,
): ScriptedSubmission {
  const taken: string[] = []
  let now = 0
  let most = 0
  async function send({ source, beforeHandover }: MessageToSubmit): Promise<Submitted> {
    await onStep('before', '')
    await beforeHandover()
    await onStep('begun', '')
    const text = await wholeText(source())
    taken.push(text)
    await onStep('taken', text)
    return { refused: [] }
  }
  return {
    taken,
    atOnce: () => ({ now, most }),
    verify: async () => undefined,
    render: (parts) => renderedSubject(parts),
    async send(_settings, message) {
      now += 1
      most = Math.max(most, now)
      try {
        return await send(message)
      } finally {
        now -= 1
      }
    },
    close: async () => undefined,
  }
}

async function* renderedSubject({ message }: OutgoingParts): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(message.subject)
}

async function wholeText(source: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const piece of source) text += new TextDecoder().decode(piece)
  return text
}
