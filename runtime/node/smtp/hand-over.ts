import { Readable } from 'node:stream'
import type { SMTPEnvelope, SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import { MailServerError } from '../../ports/mail-server-error.ts'
import {
  type MessageToSubmit,
  OutcomeUnknown,
  type RenderedSource,
  type SourceTraits,
  type Submitted,
} from '../../ports/submission.ts'
import { type Connection, type Deadline, deadline, endConnection, step } from './connection.ts'
import { cannotBeSent, mailServerError, refusalCode } from './failure.ts'
import { declareUtf8, hasExtension, sizeMax } from './internals.ts'
import type { Patience } from './patience.ts'
import { needsSmtpUtf8, smtpAddress } from './smtp-address.ts'

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

/** Hands over on this connection; after a failure the connection has ended. */
export async function handOver(
  connection: Connection,
  state: Handover,
  patience: Patience,
): Promise<Submitted> {
  const { client, mask } = connection
  const { smtpEnvelope } = state.message
  const recipientsMs = smtpEnvelope.to.length * patience.recipientMs
  const limit = deadline(patience.smtpEnvelopeMs + recipientsMs)
  try {
    const envelope = prepared(connection, state)
    const source = Readable.from(guarded(state, limit, patience), { objectMode: false })
    const info = await step<SMTPConnectionSendInfo>(client, limit, (done) =>
      client.send(envelope, source, done),
    )
    if (!state.isWhole) throw new Error('The server answered before it had the whole message.')
    connection.carried += 1
    return { refused: refusedOf(info, mask) }
  } catch (error) {
    // A server that still waits for data would take a goodbye for some.
    if (state.isBegun && !state.isWhole) client.close()
    await endConnection(connection)
    // Whoever was asked may still be at it, and has to be done before anybody hears of the failure.
    await state.beforeHandover?.catch(() => {})
    throw outcome(error, state, mask)
  } finally {
    limit.stop()
  }
}

function outcome(error: unknown, state: Handover, mask: (text: string) => string): unknown {
  if (!state.isHandedOver) return state.failure ? state.failure.error : mailServerError(error, mask)
  const failure = mailServerError(error, mask)
  if (refusalCode(error) !== undefined) return failure
  return new OutcomeUnknown(
    `The message was handed over, and whether it was sent is not known: ${failure.message}`,
    { cause: state.failure?.error ?? failure },
  )
}

/** nodemailer reads a source only once the server has given its go-ahead. */
async function* guarded(
  state: Handover,
  limit: Deadline,
  patience: Patience,
): AsyncGenerator<Uint8Array> {
  state.isBegun = true
  limit.stop()
  try {
    state.beforeHandover = state.message.beforeHandover()
    await state.beforeHandover
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

/** What the server is told of the message; throws where it cannot take it. */
function prepared({ client }: Connection, { message, traits }: Handover): SMTPEnvelope {
  const { from, to } = message.smtpEnvelope
  const isUtf8 = traits?.hasUtf8Header === true
  const addresses = [...(from === '' ? [] : [from]), ...to]
  if (isUtf8 || addresses.some(needsSmtpUtf8)) {
    if (!hasExtension(client, 'SMTPUTF8')) throw cannotBeSent(NO_SMTPUTF8)
    if (!addresses.some(needsSmtpUtf8)) declareUtf8(client)
  }
  const { size = 0, hasEightBitContent = false } = traits ?? {}
  const limit = sizeMax(client)
  if (limit > 0 && size > limit) throw cannotBeSent(tooLarge(size, limit))
  return {
    from: from === '' ? from : smtpAddress(from),
    to: to.map(smtpAddress),
    size,
    use8BitMime: hasEightBitContent || isUtf8,
  }
}

const NO_SMTPUTF8 =
  'The server takes no addresses with letters outside of ASCII before the @ (it has no SMTPUTF8).'

const tooLarge = (size: number, limit: number) =>
  `The message has ${mebibytes(size)} MiB with its attachments encoded, and the server takes ${mebibytes(limit)} MiB at most.`

const mebibytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1)

function refusedOf(info: SMTPConnectionSendInfo | undefined, mask: (text: string) => string) {
  return (info?.rejectedErrors ?? []).map(
    ({ recipient = '', responseCode = 0, response = '' }) => ({
      address: recipient,
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
