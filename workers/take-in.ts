import type { Lease } from '../domain/sync/lease.ts'
import { type Arrival, type ArrivalFolder, ingest } from '../domain/sync/ingest.ts'
import type { FetchedMessage, MailSession } from '../runtime/ports/mail-server.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** Few enough that the transaction that stores a group stays under 20 ms. */
const GROUP_MESSAGES = 16
/** What a group may hold in memory; a single larger message is a group of its own. */
const GROUP_BYTES = 8 * 1024 * 1024

type Ports = Needs<'store' | 'sourceStore' | 'mimeParser' | 'clock'>

/** The opened mailbox, and what its messages are taken into. */
export interface Intake {
  readonly session: MailSession
  readonly lease: Lease
  readonly folder: ArrivalFolder
}

/**
 * Fetches these messages of the opened mailbox and stores them, group by group: while one group is being stored
 * the next is fetched and parsed, and no more than two are in memory.
 */
export async function takeIn(ctx: Ports, intake: Intake, uids: readonly number[]): Promise<void> {
  let storing: Promise<void> = Promise.resolve()
  let parsing: Promise<Arrival>[] = []
  let bytes = 0

  const storeGroup = async () => {
    const group = parsing
    parsing = []
    bytes = 0
    const arrivals = await Promise.all(group)
    await storing
    storing = storeAndYield(ctx, intake, arrivals)
    // Awaited before the next group and at the end; until then a failure must not count as unhandled.
    storing.catch(() => undefined)
  }

  for await (const fetched of intake.session.fetchMessages(uids)) {
    parsing.push(parse(ctx, fetched))
    bytes += fetched.source.byteLength
    if (parsing.length >= GROUP_MESSAGES || bytes >= GROUP_BYTES) await storeGroup()
  }
  if (parsing.length > 0) await storeGroup()
  await storing
}

async function parse(
  { sourceStore, mimeParser }: Ports,
  { source, ...fetched }: FetchedMessage,
): Promise<Arrival> {
  const [sourceHash, digest] = await Promise.all([
    sourceStore.put(source),
    mimeParser.digest(source),
  ])
  return { fetched, sourceHash, size: source.byteLength, digest }
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
