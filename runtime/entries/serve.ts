import { unregisterSidecar } from '../../domain/sidecars/unregister.ts'
import { lockDataDirectory } from '../node/data-directory-lock.ts'
import { programPath } from '../node/program-path.ts'
import { aborted } from '../node/stop-signal.ts'
import { superviseChild } from '../node/supervised-child.ts'
import { startHandlers } from './handlers.ts'
import { startService } from './start-service.ts'

/** `svc serve`: the handlers, and a sidecar as a supervised child. Returns the exit code. */
export async function serve(): Promise<number> {
  const { config, logger, stopping } = startService('serve')
  const lock = await lockDataDirectory(config.dataDir)
  const handlers = await startHandlers(config, logger)
  const sidecar = superviseChild({
    modulePath: programPath(),
    args: ['sidecar'],
    logger,
    onEnd: async (sidecarId) => {
      if (typeof sidecarId === 'string') await unregisterSidecar(handlers.runtime, sidecarId)
    },
  })
  await aborted(stopping.signal)
  logger.info('Stopping.')
  await Promise.all([handlers.drain(), sidecar.stop()])
  await handlers.close()
  await lock.release()
  return stopping.exitCode()
}

/** `svc serve --handlers-only`. Returns the exit code. */
export async function serveHandlersOnly(): Promise<number> {
  const { config, logger, stopping } = startService('handlers')
  const handlers = await startHandlers(config, logger)
  await aborted(stopping.signal)
  await handlers.drain()
  await handlers.close()
  return stopping.exitCode()
}
