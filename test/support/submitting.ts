import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { ServerSettings } from '../../runtime/ports/mail-server.ts'
import type { RenderedSource } from '../../runtime/ports/rendered-source.ts'
import {
  type OutgoingAttachment,
  type OutgoingParts,
  OutcomeUnknown,
  type SmtpEnvelope,
  type Submission,
} from '../../runtime/ports/submission.ts'

/** What became of a message, as a caller sees it. */
export interface SendOutcome {
  readonly became: 'sent' | 'unknown' | 'other' | MailServerError['kind']
  readonly smtpCode?: number
  readonly retryable?: boolean
  readonly words?: string
  readonly refused?: readonly string[]
  /** How often it was asked before the first byte. */
  readonly asked: number
  readonly error?: unknown
}

export interface Sending {
  readonly settings: ServerSettings
  readonly smtpEnvelope?: SmtpEnvelope
  readonly source?: () => RenderedSource
  readonly beforeHandover?: () => Promise<void>
}

export const submissionSettings = (
  { host, port }: { readonly host: string; readonly port: number },
  login: ServerSettings['login'] = { kind: 'password', password: 'secret' },
): ServerSettings => ({ host, port, tls: 'none', user: 'sender', login })

/** A message of plain text, changed as told. */
export const outgoing = (
  changes: Partial<OutgoingParts['message']> = {},
  attachments: readonly OutgoingAttachment[] = [],
): OutgoingParts => ({
  message: {
    from: { address: 'ann@example.test' },
    to: [{ address: 'bob@example.test' }],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 'Hello',
    text: 'Text\n.\n..dots\nend',
    references: [],
    ...changes,
  },
  messageIdHeader: '5f3c.1@example.test',
  dateMs: Date.UTC(2026, 10, 21, 12, 0, 0),
  attachments,
})

/** An attachment whose bytes come in blocks of this size. */
export const attachmentOf = (
  { filename, contentType }: { readonly filename: string; readonly contentType: string },
  bytes: Uint8Array,
  blockBytes = 64 * 1024,
): OutgoingAttachment => ({
  filename,
  contentType,
  size: bytes.length,
  async *content() {
    for (let at = 0; at < bytes.length; at += blockBytes) yield bytes.subarray(at, at + blockBytes)
  },
})

/** Sends, and says what became of it. */
export async function sendWith(
  submission: Submission,
  {
    settings,
    smtpEnvelope = { from: 'ann@example.test', to: ['bob@example.test'] },
    source = () => submission.render(outgoing()),
    beforeHandover = async () => {},
  }: Sending,
): Promise<SendOutcome> {
  let asked = 0
  const ask = async () => {
    asked += 1
    await beforeHandover()
  }
  try {
    const message = { smtpEnvelope, source, beforeHandover: ask }
    const { refused } = await submission.send(settings, message)
    return { became: 'sent', refused: refused.map(({ address }) => address), asked }
  } catch (error) {
    return { ...failureOf(error), asked, error }
  }
}

function failureOf(error: unknown): Omit<SendOutcome, 'asked'> {
  if (error instanceof OutcomeUnknown) return { became: 'unknown', words: error.message }
  if (!(error instanceof MailServerError)) return { became: 'other' }
  const { kind, retryable, message: words, smtpCode } = error
  return { became: kind, retryable, words, ...(smtpCode !== undefined && { smtpCode }) }
}

/** All of a source. */
export async function bytesOf(source: RenderedSource): Promise<Buffer> {
  const blocks: Uint8Array[] = []
  for await (const block of source) blocks.push(block)
  return Buffer.concat(blocks)
}
