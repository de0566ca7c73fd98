import { Readable } from 'node:stream'
import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import { MailServerError } from '../../ports/mail-server-error.ts'
import type { RenderedSource, SourceTraits } from '../../ports/rendered-source.ts'
import { type MessageToSubmit, OutcomeUnknown, type Submitted } from '../../ports/submission.ts'
import type { Connection } from './connection.ts'
import { mailServerError, refusalCode, withReply } from './failure.ts'
import { unreadRefusal } from './internals.ts'
import type { Patience } from './patience.ts'
import { smtpAddress } from './smtp-address.ts'
import { smtpEnvelopeFor } from './smtp-envelope.ts'
import { type Deadline, deadline, step } from './step.ts'

/** A message on its way, on one connection or, where that was dead already, on the next. */
export interface Handover {
  readonly message: MessageToSubmit
  readonly source: RenderedSource
  readonly traits: SourceTraits | undefined
  /** Whether the server has given its go-ahead. */
  isBegun: boolean
  /** Whether it may have got a byte. */
  isHandedOver: boolean
  /** Whether all bytes are on their way. */
  isWhole: boolean
  beforeHandover?: Promise<void>
  /** What kept the source from being read. */
  failure?: { readonly error: unknown }
}

/** The message and what is known of it before its source is read. */
export async function handover(message: MessageToSubmit): Promise<Handover> {
  const source = message.source()
  const traits = await source.traits?.()
  return { message, source, traits, isBegun: false, isHandedOver: false, isWhole: false }
}

/** Hands over on this connection, which is good no more when the server has failed to take the message. */
export async function handOver(
  connection: Connection,
  state: Handover,
  patience: Patience,
): Promise<Submitted> {
  const { client, mask } = connection
  const { smtpEnvelope } = state.message
  const envelope = smtpEnvelopeFor(client, smtpEnvelope, state.traits ?? {})
  const recipientsMs = envelope.to.length * patience.recipientMs
  const limit = deadline(patience.smtpEnvelopeMs + recipientsMs)
  const source = Readable.from(guarded(state, limit, patience), { objectMode: false })
  try {
    const info = await step<SMTPConnectionSendInfo>(client, limit, (done) =>
      client.send(envelope, source, done),
    )
    if (!state.isWhole) throw new Error('The server answered before it had the whole message.')
    connection.carried += 1
    return { refused: refusedOf(info, smtpEnvelope.to, mask) }
  } catch (error) {
    connection.isGood = false
    const isWaitingForData = state.isBegun && !state.isWhole
    // Then a goodbye would be taken for data, or its answer for the answer that never came.
    if (isWaitingForData || refusalCode(error) === undefined) client.close()
    source.destroy()
    // Whoever was asked may still be at it, and has to be done before anybody hears of the failure.
    await state.beforeHandover?.catch(() => {})
    throw outcome(connection, state, error)
  }
}

/** What is thrown. */
function outcome({ client, mask }: Connection, state: Handover, error: unknown): unknown {
  if (state.failure && !state.isHandedOver) return state.failure.error
  const reason = state.isBegun ? error : whyItEnded(client, error)
  const failure = mailServerError(reason, mask)
  if (!state.isHandedOver || refusalCode(reason) !== undefined) return failure
  return new OutcomeUnknown(
    `The message was handed over, and whether it was sent is not known: ${failure.message}`,
    { cause: state.failure?.error ?? failure },
  )
}

function whyItEnded(client: Connection['client'], error: unknown): unknown {
  const reply = refusalCode(error) === undefined ? unreadRefusal(client) : undefined
  return reply === undefined ? error : withReply(error, reply)
}

/** nodemailer reads a source only once the server has given its go-ahead. */
async function* guarded(
  state: Handover,
  limit: Deadline,
  patience: Patience,
): AsyncGenerator<Uint8Array> {
  state.isBegun = true
  limit.pause()
  try {
    state.beforeHandover = state.message.beforeHandover()
    await state.beforeHandover
    if (limit.hasEnded()) return
    limit.restart(patience.blockMs)
    for await (const block of state.source) {
      state.isHandedOver = true
      yield block
      limit.restart(patience.blockMs)
    }
  } catch (error) {
    state.failure = { error }
    // The library would write into the error it is given.
    throw new Error('The message could not be read to its end.', { cause: error })
  }
  state.isWhole = true
  limit.restart(patience.answerMs)
}

function refusedOf(
  info: SMTPConnectionSendInfo | undefined,
  to: readonly string[],
  mask: (text: string) => string,
): Submitted['refused'] {
  return (info?.rejectedErrors ?? []).map(
    ({ recipient = '', responseCode = 0, response = '' }) => ({
      address: to.find((address) => smtpAddress(address) === recipient) ?? recipient,
      smtpCode: responseCode,
      message: mask(response),
    }),
  )
}

/** Whether another connection may be tried: this one was gone before the server had agreed to anything. */
export const isGone = (error: unknown, state: Handover): boolean =>
  !state.isBegun &&
  error instanceof MailServerError &&
  (error.kind === 'unreachable' || error.smtpCode === 421)
