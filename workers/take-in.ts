import type { Lease } from '../domain/sync/lease.ts'
import { type Arrival, type ArrivalFolder, ingest } from '../domain/sync/ingest.ts'
import type { FetchedMessage, MailSession } from '../runtime/ports/mail-server.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** Few enough that the transaction that stores a group stays under 20 ms. */
const GROUP_MESSAGES = 16
/** What a group may hold in memory; a single larger message is a group of its own. */
const GROUP_BYTES = 8 * 1024 * 1024

type Ports = Needs<'store' | 'sourceIntake' | 'clock'>

/** The opened mailbox, and what its messages are taken into. */
export interface Intake {
  readonly session: MailSession
  readonly lease: Lease
  readonly folder: ArrivalFolder
}

/**
 * Fetches these messages of the opened mailbox and stores them, group by group: while one group is stored the next
 * is read, and one more is fetched; so what is in memory is bounded.
 */
export async function takeIn(ctx: Ports, intake: Intake, uids: readonly number[]): Promise<void> {
  let storing: Promise<void> = Promise.resolve()
  let group: FetchedMessage[] = []
  let bytes = 0

  const storeGroup = async () => {
    const reading = read(ctx, group)
    group = []
    bytes = 0
    await storing
    storing = reading.then((arrivals) => storeAndYield(ctx, intake, arrivals))
    // Awaited before the next group and at the end; until then a failure must not count as unhandled.
    storing.catch(() => undefined)
  }

  for await (const fetched of intake.session.fetchMessages(uids)) {
    group.push(fetched)
    bytes += fetched.source.byteLength
    if (group.length >= GROUP_MESSAGES || bytes >= GROUP_BYTES) await storeGroup()
  }
  if (group.length > 0) await storeGroup()
  await storing
}

async function read(
  { sourceIntake }: Ports,
  group: readonly FetchedMessage[],
): Promise<readonly Arrival[]> {
  const taken = await sourceIntake.take(group.map(({ source }) => source))
  return group.flatMap(({ source, ...fetched }, index) => {
    const kept = taken[index]
    return kept ? [{ fetched, ...kept, size: source.byteLength }] : []
  })
}

/** Leaves the one writer to others for about as long as it was held, so that nobody waits behind a long sync. */
async function storeAndYield(
  ctx: Ports,
  { lease, folder }: Intake,
  arrivals: readonly Arrival[],
): Promise<void> {
  const startedMs = ctx.clock.now().getTime()
  await ingest(ctx, lease, { folder, arrivals })
  const isFull = arrivals.length >= GROUP_MESSAGES
  if (isFull) await ctx.clock.sleep(ctx.clock.now().getTime() - startedMs)
}
