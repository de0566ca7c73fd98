import { dueCopies, findDueCopy, type WantedCopy } from '../../domain/outbox/copies/due.ts'
import { findSentFolder } from '../../domain/outbox/copies/sent-folder.ts'
import { giveUpCopy, settleCopy, startCopy } from '../../domain/outbox/copies/settle.ts'
import { outgoingParts } from '../../domain/outbox/outgoing-parts.ts'
import type { MailSession } from '../../runtime/ports/mail-server.ts'
import type { PushConnection, PushLane, PushPorts } from './push-ports.ts'
import { isForGood, isRefusal } from './refusal.ts'

/** Longer than it takes until a sync has seen that Sent has another name. */
const ATTEMPTS_WITHOUT_CODE = 12

/**
 * Files some copies of what was sent in the account's Sent folder, each once, and has them synced at once; whether any
 * was filed, so that there may be more. Where the server is known to file them itself, it is left to it. Throws a
 * `MailServerError` where it cannot be asked.
 */
export async function pushSentCopies(
  ctx: PushPorts,
  { lanes, lease, prompt }: PushLane,
): Promise<boolean> {
  let isAnyFiled = false
  for (const id of await dueCopies(ctx, lease.accountId)) {
    const filed = await lanes.use(lease.accountId, (session) =>
      fileOrGiveUp(ctx, { session, lease }, id),
    )
    if (!filed) continue
    isAnyFiled = true
    prompt.now(filed.folderId)
  }
  return isAnyFiled
}

/** Where the sync finds the copy; a server that files it itself decides where. */
interface Filed {
  readonly folderId?: number
}

/** Undefined where it was not filed now. */
async function fileOrGiveUp(
  ctx: PushPorts,
  connection: PushConnection,
  id: number,
): Promise<Filed | undefined> {
  // A connection that died may have begun it.
  const copy = await findDueCopy(ctx, id)
  if (!copy) return undefined
  try {
    return await file(ctx, connection, copy)
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (!isForGood(error, copy.copyAttempts, ATTEMPTS_WITHOUT_CODE)) return undefined
    const { lease } = connection
    ctx.logger.warn('The mail server refused a copy of what was sent.', {
      outboxId: id,
      accountId: lease.accountId,
      code: error.code,
    })
    await giveUpCopy(ctx, lease, { copy, reason: error.message })
    return undefined
  }
}

async function file(
  ctx: PushPorts,
  { session, lease }: PushConnection,
  copy: WantedCopy,
): Promise<Filed | undefined> {
  const { id, sentCopy, date } = copy
  if (sentCopy === 'never' || (sentCopy === 'auto' && session.hasGmailLabels)) {
    await settleCopy(ctx, lease, { id, copy: 'none' })
    return {}
  }
  await startCopy(ctx, lease, id)
  const folder = await findSentFolder(ctx, lease)
  if (!folder) return undefined
  const parts = await outgoingParts(ctx, copy)
  const source = ctx.submission.render(parts)
  const { size = 0 } = (await source.traits?.()) ?? {}
  if (!(await isFiled(session, { copy, path: folder.path, size })))
    await session.append(folder.path, { source, flags: ['\\Seen'], internalDateMs: date })
  await settleCopy(ctx, lease, { id, copy: 'filed' })
  ctx.metrics.count('sent_copies_filed_total')
  return { folderId: folder.id }
}

interface Sought {
  readonly copy: WantedCopy
  readonly path: string
  readonly size: number
}

/** Whether Sent has it: an APPEND whose answer never came, or the server files what it sends. */
async function isFiled(
  session: MailSession,
  { copy: { messageIdHeader }, path, size }: Sought,
): Promise<boolean> {
  await session.select(path)
  const candidates = await session.searchCopies({ messageIdHeader, size })
  for await (const { headersRaw } of session.fetchHeaders(candidates))
    if (new TextDecoder('latin1').decode(headersRaw).includes(`<${messageIdHeader}>`)) return true
  return false
}
