import { randomUUID } from 'node:crypto'
import { unregisterSidecar } from '../../domain/sidecars/unregister.ts'
import { accountPrompts } from '../../workers/account-prompts.ts'
import { accountTurns } from '../../workers/account-turns.ts'
import { finishAbandonedRemovals } from '../../workers/account-removals.ts'
import { noteCorrespondents } from '../../workers/correspondents.ts'
import { searchDeep } from '../../workers/deep-search.ts'
import { adoptDrafts } from '../../workers/draft-adoption.ts'
import { queueForwards } from '../../workers/forwards.ts'
import { keepRegistered } from '../../workers/heartbeat.ts'
import { keepHouse } from '../../workers/housekeeping.ts'
import { mergeIndex } from '../../workers/index-merge.ts'
import { rebuildIndex } from '../../workers/index-rebuild.ts'
import { interactiveLanes } from '../../workers/interactive-lanes.ts'
import { pushMailboxChanges } from '../../workers/mailbox-changes.ts'
import { logMetrics } from '../../workers/metrics-log.ts'
import { sendOutbox } from '../../workers/outbox.ts'
import { sourceRefetch } from '../../workers/source-refetch.ts'
import { retainSources } from '../../workers/source-retention.ts'
import { superviseAccounts } from '../../workers/supervisor.ts'
import { drainWebhooks } from '../../workers/webhook-drain.ts'
import { memoryWake } from '../memory/wake.ts'
import { listen } from '../node/http-listener.ts'
import { openAdapters } from '../node/open-adapters.ts'
import { prepareDatabase } from '../node/prepare-database.ts'
import { sidecarServer } from '../sidecar/server.ts'
import { runService } from './run-service.ts'

const DRAIN_MS = 500

/** `svc sidecar`: the syncs, the sending, and the protocol that the other processes speak to. Returns the exit code. */
export const runSidecar = (): Promise<number> =>
  runService('sidecar', async ({ config, logger, signal }) => {
    await prepareDatabase(config.databaseUrl)
    const adapters = openAdapters(config, logger)
    const turns = accountTurns()
    const prompts = accountPrompts()
    const lanes = interactiveLanes(adapters.ports)
    const sources = sourceRefetch(adapters.ports, lanes)
    const server = sidecarServer({
      secret: adapters.sidecarSecret,
      local: memoryWake(),
      sources,
    })
    const listener = await listen(listeningAddress(config.sidecarUrl), server.fetch)
    const sidecarId = randomUUID()
    const sidecar = {
      id: sidecarId,
      url: config.sidecarUrl ?? `http://127.0.0.1:${listener.port}`,
    }
    // A supervising parent frees our accounts when we end without a word.
    process.send?.(sidecarId, undefined, undefined, () => undefined)
    const runtime = { ...adapters.ports, wake: server.wake }
    // What runs over them would hold up the end for as long as a server is silent.
    signal.addEventListener('abort', () => void lanes.close(), { once: true })
    logger.info('The sidecar runs.', { sidecar: sidecarId, url: sidecar.url })

    await Promise.all([
      keepRegistered(runtime, sidecar, signal),
      superviseAccounts(runtime, { sidecarId, turns, prompts }, signal),
      pushMailboxChanges(runtime, { sidecarId, lanes, turns, prompts }, signal),
      sendOutbox(runtime, { sidecarId, prompts }, signal),
      queueForwards(runtime, { sidecarId, sources }, signal),
      // Without the automation layer endpoints may be there, but nothing goes out (spec section 1).
      config.automation ? drainWebhooks(runtime, { sidecarId }, signal) : undefined,
      adoptDrafts(runtime, { sidecarId }, signal),
      searchDeep(runtime, { sidecarId, prompts }, signal),
      rebuildIndex(runtime, signal),
      mergeIndex(runtime, signal),
      noteCorrespondents(runtime, signal),
      retainSources(runtime, sources, signal),
      finishAbandonedRemovals(runtime, signal),
      logMetrics(runtime, signal),
      keepHouse(runtime, signal),
    ])
    await unregisterSidecar(runtime, sidecarId)
    server.close()
    await listener.close(DRAIN_MS)
    await lanes.close()
    await adapters.close()
  })

function listeningAddress(url: string | undefined): { host: string; port: number } {
  if (url === undefined) return { host: '127.0.0.1', port: 0 }
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
}
