import { isAccountRemoved } from '../domain/accounts/not-removed.ts'
import type { Lease } from '../domain/sync/lease.ts'
import type { Arrival, ArrivalFolder } from '../domain/sync/arrival.ts'
import { actionsOf } from '../domain/filters/actions-of.ts'
import type { CompiledFilter } from '../domain/filters/compile.ts'
import { listCompiledFilters } from '../domain/filters/list-compiled.ts'
import { ingest } from '../domain/sync/ingest.ts'
import { forgetSources } from '../domain/sync/orphaned-contents.ts'
import { keptSinceMs } from '../domain/sources/age-limit.ts'
import type { FetchedMessage, MailSession } from '../runtime/ports/mail-server.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** Few enough that the transaction that stores a group stays under 20 ms. */
const GROUP_MESSAGES = 24
/** What a group may hold in memory; a single larger message is a group of its own. */
const GROUP_BYTES = 1024 * 1024
/** Enough to keep the reading threads busy while a group is stored and the next ones are fetched. */
const GROUPS_READ_AHEAD = 3

type Ports = Needs<'store' | 'clock' | 'wake' | 'sourceStore' | 'sourceIntake' | 'metrics'>

/** The opened mailbox, and what its messages are taken into. */
export interface Intake {
  readonly session: MailSession
  readonly lease: Lease
  readonly folder: ArrivalFolder
}

/**
 * Fetches these messages of the opened mailbox and stores them, group by group. Fetching, reading and storing
 * overlap; how many groups are in memory is bounded. Nothing is left of an account that is removed meanwhile.
 */
export async function takeIn(
  ctx: Ports,
  { session, lease, folder }: Intake,
  uids: readonly number[],
): Promise<void> {
  const reading: Promise<readonly Arrival[]>[] = []
  let storing: Promise<void> = Promise.resolve()
  const unnamed = new Set<string>()
  let group: FetchedMessage[] = []
  let bytes = 0

  const filters = mayBeFiltered(folder) ? await listCompiledFilters(ctx) : []
  const readNext = async (fetched: readonly FetchedMessage[]) => {
    try {
      const arrivals = await read(ctx, { lease, filters }, fetched)
      for (const { sourceHash, sourceKept } of arrivals) if (sourceKept) unnamed.add(sourceHash)
      return arrivals
    } finally {
      await close(fetched)
    }
  }
  const readGroup = () => {
    reading.push(handled(readNext(group)))
    group = []
    bytes = 0
  }
  const store = async (arrivals: readonly Arrival[]) => {
    const count = await ingest(ctx, lease, { folder, arrivals })
    for (const { sourceHash } of arrivals) unnamed.delete(sourceHash)
    ctx.metrics.count('messages_taken_in_total', {}, count)
  }
  const storeNext = async () => {
    const arrivals = await reading.shift()
    await storing
    if (arrivals) storing = handled(store(arrivals))
  }

  try {
    for await (const fetched of session.fetchMessages(uids)) {
      group.push(fetched)
      bytes += fetched.source.byteLength
      if (group.length < GROUP_MESSAGES && bytes < GROUP_BYTES) continue
      readGroup()
      while (reading.length >= GROUPS_READ_AHEAD) await storeNext()
      await ctx.sourceIntake.room()
    }
    if (group.length > 0) readGroup()
    while (reading.length > 0) await storeNext()
    await storing
  } catch (error) {
    await Promise.allSettled([...reading, storing])
    // Whoever else syncs the account may be about to name them; then the sweep removes what nobody did.
    if (await isAccountRemoved(ctx, lease.accountId)) await forgetSources(ctx, [...unnamed])
    throw error
  }
}

async function close(group: readonly FetchedMessage[]): Promise<void> {
  for (const { source } of group) if (!(source instanceof Uint8Array)) await source.close()
}

/** The same promise. It is awaited later; a failure until then must not count as unhandled. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

/** Rules are for what arrives in an inbox; on Gmail the labels of each message say which that is. */
const mayBeFiltered = ({ isTold, isInbox, gmail }: ArrivalFolder) =>
  isTold && (isInbox || gmail !== undefined)

interface Reading {
  readonly lease: Lease
  readonly filters: readonly CompiledFilter[]
}

async function read(
  ctx: Ports,
  { lease: { accountId }, filters }: Reading,
  group: readonly FetchedMessage[],
): Promise<readonly Arrival[]> {
  const taken = await ctx.sourceIntake.take(
    group.map(({ source }) => source),
    {
      sinceMs: await keptSinceMs(ctx, accountId),
      internalDatesMs: group.map(({ internalDateMs }) => internalDateMs),
    },
  )
  return group.flatMap((fetched, index) => {
    const source = taken[index]
    if (!source) return []
    const actions = actionsOf(filters, { accountId, ...source.digest })
    return [{ fetched, ...source, size: fetched.size, actions }]
  })
}
