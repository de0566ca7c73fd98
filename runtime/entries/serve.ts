import { unregisterSidecar } from '../../domain/sidecars/unregister.ts'
import { lockDataDirectory } from '../node/data-directory-lock.ts'
import { programPath } from '../node/program-path.ts'
import { aborted } from '../node/stop-signal.ts'
import { superviseChild } from '../node/supervised-child.ts'
import { startHandlers } from './handlers.ts'
import { runService } from './run-service.ts'

/** `svc serve`: the handlers, and a sidecar as a supervised child. Returns the exit code. */
export const serve = (): Promise<number> =>
  runService('serve', async ({ config, logger, signal }) => {
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
    await aborted(signal)
    logger.info('Stopping.')
    await Promise.all([handlers.drain(), sidecar.stop()])
    await handlers.close()
    await lock.release()
  })

/** `svc serve --handlers-only`. Returns the exit code. */
export const serveHandlersOnly = (): Promise<number> =>
  runService('handlers', async ({ config, logger, signal }) => {
    const handlers = await startHandlers(config, logger)
    await aborted(signal)
    await handlers.drain()
    await handlers.close()
  })
