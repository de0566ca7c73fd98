import { knownMessageIds } from '../domain/search/deep/known-message-ids.ts'
import { mayHold } from '../domain/search/deep/targets.ts'
import { type DuePart, dueParts } from '../domain/search/jobs/due.ts'
import { endAbandoned } from '../domain/search/jobs/end-abandoned.ts'
import { type BegunPart, beginPart, endPart } from '../domain/search/jobs/part.ts'
import { matchingMessages } from '../domain/search/jobs/matching.ts'
import { parseQuery } from '../domain/search/parse-query.ts'
import { readSearchNames } from '../domain/search/resolve-names.ts'
import { LeaseLost } from '../domain/sync/lease.ts'
import { wakeOrTimeout, withDeadline } from '../domain/wait.ts'
import { MailServerError } from '../runtime/ports/mail-server-error.ts'
import type { AccountPrompts } from './account-prompts.ts'
import { type PartRecord, partRecord, SearchDropped } from './search/part-progress.ts'
import { searchAccount, type SearchLimits, type SearchPorts } from './search/search-account.ts'
import { type ServerRests, serverRests } from './server-rests.ts'

/** How soon a search is noticed when its wake was lost. */
const LOOK_EVERY_MS = 1_000
/** How many accounts are searched at once. */
const ACCOUNTS_MAX = 4
/** How often a part is begun: one that ends the process each time is given up. */
const ATTEMPTS_MAX = 5
/** A search that has lasted so long ends as it is, as where nobody syncs one of its accounts. */
const JOB_MS = 60 * 60_000

const LIMITS: SearchLimits = {
  folderMs: 2 * 60_000,
  accountMs: 15 * 60_000,
  hitsPerFolder: 500,
}

/** The sidecar whose accounts are searched. */
interface Searching {
  readonly sidecarId: string
  readonly prompts: AccountPrompts
  readonly limits?: Partial<SearchLimits>
}

/**
 * Carries out the searches of this sidecar's accounts, until `signal` aborts: each on a connection beside that of the
 * sync, one at a time per account, a few accounts at once. What is under way then is gone on with by the next sidecar.
 */
export async function searchDeep(
  ctx: SearchPorts,
  { sidecarId, prompts, limits }: Searching,
  signal: AbortSignal,
): Promise<void> {
  const running = new Map<number, Promise<void>>()
  const work = { limits: { ...LIMITS, ...limits }, rests: serverRests(ctx) }
  const begin = (due: DuePart) => {
    const { accountId } = due.lease
    const ended = searchPart(ctx, { ...work, due, prompts }, signal)
      .catch((error: unknown) => {
        if (error instanceof LeaseLost || error instanceof SearchDropped || signal.aborted) return
        ctx.logger.error('A search failed.', error, { accountId })
      })
      .finally(() => {
        running.delete(accountId)
        ctx.wake.now('searches')
      })
    running.set(accountId, ended)
  }
  const beginDue = async () => {
    await endAbandoned(ctx, ctx.clock.now().getTime() - JOB_MS)
    for (const due of await dueParts(ctx, sidecarId))
      if (running.size < ACCOUNTS_MAX && !running.has(due.lease.accountId)) begin(due)
  }
  while (!signal.aborted) {
    try {
      await beginDue()
    } catch (error) {
      ctx.logger.error('What is to be searched could not be looked for.', error)
    }
    await wakeOrTimeout(ctx, { topic: 'searches', ms: LOOK_EVERY_MS }, signal)
  }
  await Promise.all(running.values())
}

interface PartWork {
  readonly due: DuePart
  readonly prompts: AccountPrompts
  readonly limits: SearchLimits
  readonly rests: ServerRests
}

async function searchPart(
  ctx: SearchPorts,
  { due, ...work }: PartWork,
  signal: AbortSignal,
): Promise<void> {
  const part = await beginPart(ctx, due)
  if (!part) return
  const record = partRecord(ctx, part)
  const { query, limit, folderId, startedAt } = part.job
  const { expression } = parseQuery(query, startedAt)
  if (!expression) return endPart(ctx, part, { ...record.now(), hits: [] })
  const search = {
    expression,
    accountId: part.account.id,
    names: await readSearchNames(ctx, expression, () => {}),
    folderId: folderId ?? undefined,
    messageIdsOf: await knownMessageIds(ctx, part.account.id, expression),
  }
  if (part.attempts > ATTEMPTS_MAX)
    record.warn(`${accountName(part)}: the search was cut off too often.`)
  else if (mayHold(search)) {
    await askServer(ctx, { ...work, part, record, search }, signal)
    if (signal.aborted) return
  }
  const { shownIn, warnings } = record.now()
  const folderIds = shownIn.filter((id) => folderId === null || id === folderId)
  const hits = await matchingMessages(ctx, { expression, folderIds, limit: limit + 1 })
  await endPart(ctx, part, { warnings, hits })
}

interface Asking extends Omit<PartWork, 'due'> {
  readonly part: BegunPart
  readonly record: PartRecord
  readonly search: Parameters<typeof searchAccount>[1]['search']
}

/** Within its time; what goes wrong with the account as a whole becomes a warning. */
async function askServer(
  ctx: SearchPorts,
  { part, record, search, prompts, limits, rests }: Asking,
  signal: AbortSignal,
): Promise<void> {
  const { lease, account } = part
  const asked = { accountId: account.id, settingsRevision: account.settingsRevision }
  if (rests.isRefused(asked)) return record.warn(`${accountName(part)}: its login was refused.`)
  const prompt = prompts.of(account.id)
  await withDeadline(ctx, { ms: limits.accountMs, signal }, async (deadline) => {
    try {
      await searchAccount(
        ctx,
        { lease, name: account.name, search, record, prompt, limits },
        deadline,
      )
      if (deadline.aborted)
        record.warn(
          `${accountName(part)}: it took longer than ${limits.accountMs / 60_000} minutes.`,
        )
    } catch (error) {
      if (!(error instanceof MailServerError)) throw error
      rests.beginAfter(asked, error)
      record.warn(`${accountName(part)}: ${error.message}`)
    }
  })
}

const accountName = ({ account }: BegunPart) => `The account “${account.name}”`
