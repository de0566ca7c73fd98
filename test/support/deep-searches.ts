import { expect, onTestFinished } from 'vitest'
import { folders } from '../../db/schema/folders.ts'
import { getSearchJob, type SearchJob } from '../../domain/search/jobs/get.ts'
import { startDeepSearch } from '../../domain/search/jobs/start.ts'
import { acquireLease } from '../../domain/sync/lease.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import type { Store } from '../../runtime/ports/store.ts'
import type { Wake } from '../../runtime/ports/wake.ts'
import { memoryWake } from '../../runtime/memory/wake.ts'
import { accountPrompts } from '../../workers/account-prompts.ts'
import { searchDeep } from '../../workers/deep-search.ts'
import type { SearchLimits, SearchPorts } from '../../workers/search/search-account.ts'
import { syncPorts } from './account-sync.ts'
import { eventually } from './eventually.ts'

type Wanted = Partial<Parameters<typeof startDeepSearch>[1]>

/** Starts a search, wakes whoever carries it out, and waits for its end. */
export async function searched(
  store: Store,
  wanted: Wanted,
  wake: Wake = memoryWake(),
): Promise<SearchJob> {
  const ctx = { store, wake, clock: systemClock }
  const { id } = await startDeepSearch(ctx, { query: 'engine', limit: 100, ...wanted })
  return ended(store, id)
}

/** The search of this id, once it has ended. */
export const ended = (store: Store, id: string) =>
  eventually(async () => {
    const job = await getSearchJob({ store }, id)
    expect(job.status).toBe('done')
    return job
  }, 30_000)

/** What a search has found, by subject. */
export const subjectsFound = ({ results }: SearchJob) => results?.map(({ subject }) => subject)

interface Searching extends Partial<SearchPorts> {
  readonly limits?: Partial<SearchLimits>
}

/** Carries out searches of the accounts, and no sync, until the test ends; what it returns wakes it. */
export async function startSearching(
  store: Store,
  accountIds: readonly number[],
  { limits, ...given }: Searching = {},
): Promise<Wake> {
  const ports = { ...syncPorts(store), ...given }
  const stopping = new AbortController()
  const sidecarId = 'searching'
  for (const accountId of accountIds) await acquireLease(ports, accountId, sidecarId)
  const searching = { sidecarId, prompts: accountPrompts(), ...(limits && { limits }) }
  const running = searchDeep(ports, searching, stopping.signal)
  onTestFinished(async () => {
    stopping.abort()
    await running
  })
  return ports.wake
}

/** A folder that no sync has opened yet. */
export async function addFolder(store: Store, accountId: number, path: string): Promise<void> {
  const specialUse = path === 'INBOX' ? 'inbox' : null
  await store.commit((write) => [
    write.insert(folders).values({ accountId, path, delimiter: '/', specialUse }),
  ])
}
