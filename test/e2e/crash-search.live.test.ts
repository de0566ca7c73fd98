import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { getSearchJob } from '../../domain/search/jobs/get.ts'
import { startDeepSearch } from '../../domain/search/jobs/start.ts'
import { memoryWake } from '../../runtime/memory/wake.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import { type HostileRequest, startHostileImap } from '../lab/hostile-imap.ts'
import { ended } from '../support/deep-searches.ts'
import { eventually } from '../support/eventually.ts'
import { expectWhole, kill, run, setUpService } from '../support/killable-service.ts'

const isTextSought = ({ command, args }: HostileRequest) =>
  command === 'UID SEARCH' && args.includes('TEXT')

const isLong = process.env['SVC_TEST_LONG'] === '1'
const KILLED = isLong ? (['sidecar', 'both'] as const) : (['sidecar'] as const)

test.each(KILLED)(
  'a search ends, and is told once, over a kill in the middle of it: %s',
  async (victim) => {
    const imap = await startHostileImap()
    onTestFinished(() => imap.stop())
    const setup = await setUpService(imap, imap.user)
    onTestFinished(setup.remove)
    let searches = 0
    imap.behave({
      answer(request, honest) {
        if (!isTextSought(request)) return honest
        searches += 1
        return searches === 2 ? '' : honest
      },
    })
    const first = await run(setup)
    const { store } = setup
    const ctx = { store, wake: memoryWake(), clock: systemClock }
    await eventually(async () => expect(await first.api.messageCount()).toBe(8), 30_000)
    const { id } = await startDeepSearch(ctx, { query: 'text', limit: 100 })
    await eventually(async () => {
      expect(await getSearchJob(ctx, id)).toMatchObject({ progress: { foldersDone: 1 } })
      expect(searches).toBe(2)
    }, 30_000)

    await kill(setup, first, victim)
    const job = await ended(store, id)
    expect(job.warnings).toEqual([])
    expect(job.results).toHaveLength(8)
    const told = (await store.read.select().from(events)).filter(
      ({ kind }) => kind === 'search.completed',
    )
    expect(told).toMatchObject([{ data: { job_id: id, query: 'text', results: 8 } }])
    await expectWhole(setup)
  },
)
