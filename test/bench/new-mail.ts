import { setTimeout as delay } from 'node:timers/promises'

import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import type { LabDovecot } from '../lab/dovecot.ts'
import type { HttpClient } from './http-client.ts'
import { idleClient } from './idle-client.ts'
import { newest } from './mailbox.ts'
import { newMessage } from './new-message.ts'
import { until } from './processes.ts'
import { median, percentile } from './statistics.ts'
import { ms } from './table.ts'
import type { Row } from './table.ts'

const DELIVERIES = 20
const WITHIN_MS = 60_000
const SEED = 7
const P50_BAR_MS = 60

/** How much later than the server's own push a delivered message is in the list. */
export async function measureNewMail(
  dovecot: LabDovecot,
  user: DovecotUser,
  api: HttpClient,
): Promise<Row> {
  const idle = await idleClient(dovecot, user)
  const random = seededRandom(SEED)
  const pushMs: number[] = []
  const addedMs: number[] = []
  try {
    for (let n = 1; n <= DELIVERIES; n += 1) {
      // Not in step with anything the service does at fixed times.
      await delay(random.integer(600, 1_800))
      const subject = `New mail ${n}`
      const startMs = performance.now()
      const [pushedAtMs, visibleAtMs] = await Promise.all([
        idle.nextArrival(),
        visible(api, subject),
        dovecot.deliver(user, newMessage(subject)),
      ])
      pushMs.push(pushedAtMs - startMs)
      addedMs.push(visibleAtMs - pushedAtMs)
    }
  } finally {
    idle.close()
  }
  return {
    work: `new mail in the list, later than the server's own push, p50 / p95`,
    figure: `${ms(median(addedMs))} / ${ms(percentile(addedMs, 0.95))}`,
    floor: `${ms(median(pushMs))} / ${ms(percentile(pushMs, 0.95))} (LMTP to push)`,
    bar: `p50 ${ms(P50_BAR_MS)}`,
    met: median(addedMs) <= P50_BAR_MS,
  }
}

const visible = (api: HttpClient, subject: string) =>
  until(`${subject} in the list`, WITHIN_MS, async () => {
    const [first] = await newest(api, 1)
    return first?.subject === subject ? performance.now() : undefined
  })
