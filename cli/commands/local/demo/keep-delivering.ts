import { setTimeout as sleep } from 'node:timers/promises'
import { note } from '../../../output.ts'
import type { DemoMailbox } from './demo-mailbox.ts'
import { deliverOverLmtp } from './mail-transport.ts'
import { arrival } from './mails/arrivals.ts'
import { nextMail } from './mails.ts'

/** Delivers a new message every `everyS` seconds, and says so, until `signal` aborts; then rejects. */
export async function keepDelivering(
  { dovecot, user }: DemoMailbox,
  everyS: number,
  signal: AbortSignal,
): Promise<never> {
  for (let n = 0; ; n += 1) {
    await sleep(everyS * 1_000, undefined, { signal })
    const now = new Date()
    await deliverOverLmtp(dovecot.lmtpPort, user.email, await nextMail(n, now))
    note(`  ${now.toTimeString().slice(0, 8)}  new mail: ${arrival(n).subject}`)
  }
}
