import type { Draft } from '../../domain/drafts/draft-record.ts'
import { revisionOf } from '../../domain/drafts/revision-header.ts'
import type { Folder } from '../../domain/sync/folder.ts'
import { confirmedMessages } from '../../domain/sync/folder-state.ts'
import { leftBehindUids } from '../../domain/sync/left-behind.ts'
import type { AppendedAt, MailSession } from '../../runtime/ports/mail-server.ts'
import type { Prompt } from '../account-prompts.ts'
import type { Turn } from '../account-turns.ts'
import { takeIn } from '../take-in.ts'
import type { PushConnection, PushPorts } from './push-ports.ts'

/** A connection for drafts, the turn in which what the server has is compared with what is known, and who finds it else. */
export type DraftsConnection = PushConnection & { readonly turn: Turn; readonly prompt: Prompt }

interface Sought {
  readonly folder: Folder
  readonly draft: Draft
  /** Where the server said that it has the newest. */
  readonly at?: AppendedAt | undefined
}

/**
 * Takes in what the server has of a draft and nobody here knows yet. Whether it has the revision that it was asked for
 * although it is not known here: on Gmail only a sync of All Mail can find it.
 */
export async function takeCopies(
  ctx: PushPorts,
  connection: DraftsConnection,
  sought: Sought,
): Promise<boolean> {
  const { session, turn } = connection
  if (session.hasGmailLabels) return isThere(session, sought)
  await turn(() => takeUnknown(ctx, connection, sought))
  return false
}

async function takeUnknown(
  ctx: PushPorts,
  { session, lease }: DraftsConnection,
  { folder, draft, at }: Sought,
): Promise<void> {
  const { uidValidity } = await session.select(folder.path)
  const uids =
    at?.uidValidity === uidValidity
      ? [at.uid]
      : await unknownCopies(ctx, session, { folder, draft })
  const arrivals = {
    id: folder.id,
    isInbox: false,
    isSent: false,
    isDrafts: true,
    gmail: undefined,
    isTold: false,
    areChangesTold: false,
    uidValidity,
  }
  await takeIn(ctx, { session, lease, folder: arrivals }, uids)
}

const soughtOf = ({ messageIdHeader }: Draft) => ({ messageIdHeader, size: 0 })

async function unknownCopies(
  ctx: PushPorts,
  session: MailSession,
  { folder, draft }: Sought,
): Promise<readonly number[]> {
  const candidates = await session.searchCopies(soughtOf(draft))
  const confirmed = await confirmedMessages(ctx, folder.id, candidates)
  const left = await leftBehindUids(ctx.store.read, folder.id)
  const known = new Set([...confirmed.map(({ uid }) => uid), ...left])
  return candidates.filter((uid) => !known.has(uid))
}

async function isThere(session: MailSession, { folder, draft }: Sought): Promise<boolean> {
  await session.select(folder.path)
  const candidates = await session.searchCopies(soughtOf(draft))
  let isFound = false
  for await (const { headersRaw } of session.fetchHeaders(candidates))
    isFound ||= revisionOf(headersRaw) === draft.appendingRevision
  return isFound
}
