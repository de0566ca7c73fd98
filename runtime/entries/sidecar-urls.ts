import { listLiveSidecars } from '../../domain/sidecars/list-live.ts'
import type { Needs } from '../ports/runtime.ts'

/** Where sidecars answer: as configured, else as they registered. */
export const sidecarUrls = (ports: Needs<'store' | 'config'>) => async () =>
  ports.config.sidecarUrl ? [ports.config.sidecarUrl] : listLiveSidecars(ports)
