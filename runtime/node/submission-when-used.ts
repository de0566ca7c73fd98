import type { RenderedSource } from '../ports/rendered-source.ts'
import type { OutgoingParts, Submission } from '../ports/submission.ts'
import { loadedWhenUsed } from './loaded-when-used.ts'

/** SMTP whose library loads when first used. */
export function submissionWhenUsed(): Submission {
  const submission = loadedWhenUsed(async () =>
    (await import('./smtp/submission.ts')).nodemailerSubmission(),
  )
  return {
    verify: async (settings) => (await submission.get()).verify(settings),
    render: (parts) => renderedLater(submission.get, parts),
    send: async (settings, message) => (await submission.get()).send(settings, message),
    close: async () => (await submission.loaded())?.close(),
  }
}

function renderedLater(get: () => Promise<Submission>, parts: OutgoingParts): RenderedSource {
  const rendered = loadedWhenUsed(async () => (await get()).render(parts))
  return {
    traits: async () => (await rendered.get()).traits?.(),
    async *[Symbol.asyncIterator]() {
      yield* await rendered.get()
    },
  }
}
