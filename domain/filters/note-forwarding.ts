import type { Needs } from '../../runtime/ports/runtime.ts'
import type { FilterRecord } from './filter-record.ts'

/** Logs a rule that forwards mail, which can carry it out of the mailbox; never where to. */
export function noteForwarding({ logger }: Needs<'logger'>, filter: FilterRecord): void {
  if (!filter.actions.some(({ type }) => type === 'forward')) return
  logger.warn('a filter rule forwards mail', { filterId: filter.id, enabled: filter.enabled })
}
