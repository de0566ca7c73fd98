import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'

const YEARS_MAX = 10
const YEAR_MS = 366 * 24 * 3_600_000

/** When to send, in milliseconds UTC. Throws `invalid_request` that names the field for a time ten years away. */
export function sendTime({ clock }: Needs<'clock'>, field: string, at: Date): number {
  const sendAt = at.getTime()
  if (!(sendAt <= clock.now().getTime() + YEARS_MAX * YEAR_MS)) {
    throw invalidRequest(`${field}: must be within ${YEARS_MAX} years.`)
  }
  return sendAt
}
