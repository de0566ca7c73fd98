import type { Needs } from '../../runtime/ports/runtime.ts'
import type { MessageBodies, SourceReference } from '../../runtime/ports/source-reader.ts'
import { DomainError, upstream } from '../errors.ts'
import { replyText } from '../mime/reply-text.ts'
import { readSource } from './read-source.ts'

export const BODY_CHOICES = ['text', 'html', 'both', 'none', 'reply'] as const

/** `reply` is the text without quoted history and signature. */
export type BodyChoice = (typeof BODY_CHOICES)[number]

const TOO_LONG = 'This body is too long to be answered here; the raw message holds it.'

/** What was asked for of a body, and why a part of it is missing; neither when no body was asked for. */
export interface MessageBody {
  readonly body?: MessageBodies
  readonly bodyError?: string
}

/** What the store keeps of a body. All null when it keeps nothing of it. */
export interface StoredBody extends SourceReference {
  readonly text: string | null
  readonly hasHtml: boolean | null
}

/**
 * The body in the form asked for: the text out of the store, the HTML out of the source. Never throws for a
 * source that cannot be had: what can be had is returned beside the error.
 */
export async function readBody(
  ctx: Needs<'sourceReader' | 'logger'>,
  stored: StoredBody,
  choice: BodyChoice,
): Promise<MessageBody> {
  if (choice === 'none') return {}
  const needsSource = stored.hasHtml === null || (stored.hasHtml && wantsHtml(choice))
  const inStore = stored.text === null ? {} : { text: stored.text }
  if (!needsSource) return { body: chosen(inStore, choice) }
  try {
    const bodies = { ...(await readSource(ctx.sourceReader.bodies(stored))), ...inStore }
    if (bodies.tooLong && lacks(bodies, choice)) throw upstream(TOO_LONG)
    return { body: chosen(bodies, choice) }
  } catch (error) {
    return { ...withoutHtml(inStore, choice), bodyError: reasonOf(ctx, error) }
  }
}

const lacks = ({ text, html }: MessageBodies, choice: BodyChoice) =>
  (wantsHtml(choice) && html === undefined) || (choice !== 'html' && text === undefined)

const wantsHtml = (choice: BodyChoice) => choice === 'html' || choice === 'both'

function chosen({ text, html }: MessageBodies, choice: BodyChoice): MessageBodies {
  const shownText = choice === 'reply' && text !== undefined ? replyText(text) : text
  return {
    ...(choice !== 'html' && shownText !== undefined ? { text: shownText } : {}),
    ...(wantsHtml(choice) && html !== undefined ? { html } : {}),
  }
}

const withoutHtml = (inStore: MessageBodies, choice: BodyChoice): MessageBody =>
  choice === 'both' && inStore.text !== undefined ? { body: inStore } : {}

function reasonOf(ctx: Needs<'logger'>, error: unknown): string {
  if (!(error instanceof DomainError)) throw error
  if (error.cause) ctx.logger.error('a message source was not read', error.cause)
  return error.message
}
