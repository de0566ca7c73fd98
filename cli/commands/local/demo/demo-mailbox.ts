import { startDovecot } from './dovecot.ts'
import type { Dovecot, DovecotUser } from './dovecot.ts'
import { fillMailbox } from './fill-mailbox.ts'
import { OWNER } from './mails/people.ts'
import { startLoopingSmtp } from './smtp.ts'
import type { LoopingSmtp } from './smtp.ts'

/** A mailbox full of made-up mail on servers of its own. */
export interface DemoMailbox {
  readonly dovecot: Dovecot
  readonly smtp: LoopingSmtp
  readonly user: DovecotUser
  /** Messages it was filled with. */
  readonly count: number
  /** Ends the servers and removes the mail. */
  stop(): Promise<void>
}

/** Starts the servers and fills the mailbox. Throws `DovecotMissingError` and `DovecotStartError`. */
export async function startDemoMailbox(): Promise<DemoMailbox> {
  const dovecot = await startDovecot()
  try {
    const user = await dovecot.addUser({ user: 'maya', email: OWNER.address })
    const count = await fillMailbox(user, new Date())
    const smtp = await startLoopingSmtp(dovecot, user)
    const stop = async () => {
      await Promise.all([smtp.stop(), dovecot.stop()])
    }
    return { dovecot, smtp, user, count, stop }
  } catch (error) {
    await dovecot.stop()
    throw error
  }
}
