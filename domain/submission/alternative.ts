import type { Bodies } from '../../runtime/ports/body-renderer.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'

export type BodyMode = 'plain' | 'html' | 'markdown'

/** What this service itself shows of a message; of markdown, what it surely renders in its time. */
const BODY_CHARS_MAX: Readonly<Record<BodyMode, number>> = {
  plain: 2_000_000,
  html: 2_000_000,
  markdown: 200_000,
}

/**
 * The bodies of a message: html and markdown get a text that says the same. Throws `invalid_request` for a body that is
 * too long to be shown, or takes too much to render, or holds NUL or halves of characters.
 */
export async function bodiesOf(
  { bodyRenderer }: Needs<'bodyRenderer'>,
  mode: BodyMode,
  body: string,
): Promise<Bodies> {
  if (body.length > BODY_CHARS_MAX[mode]) {
    throw invalidRequest(`body: has at most ${BODY_CHARS_MAX[mode]} characters in mode ${mode}.`)
  }
  if (body.includes('\0')) throw invalidRequest('body: must not hold NUL.')
  if (!body.isWellFormed()) throw invalidRequest('body: must be well-formed Unicode.')
  if (mode === 'plain') return { text: body }
  const bodies = await bodyRenderer.render(mode, body)
  if (!bodies) {
    throw invalidRequest(`body: the ${mode} is nested too deeply, or takes too much to render.`)
  }
  return bodies
}
