import type { Dovecot, DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { bareImap } from './bare-imap.ts'

/** The untagged FETCH by which a server tells of changed flags (RFC 3501 section 7.4.2). */
export const CHANGED_FLAGS = /^\* \d+ FETCH \(.*FLAGS \(/m

/** A bare socket that idles on the inbox (RFC 2177): how soon the server itself says what happened. */
export interface IdleClient {
  /** When the server said that a message came, by `performance.now()`; ask before it can come. */
  nextArrival(): Promise<number>
  /** The same for changed flags. */
  nextFlags(): Promise<number>
  close(): void
}

/** Logs in without TLS and idles; resolves when the server does. */
export async function idleClient(dovecot: Dovecot, user: DovecotUser): Promise<IdleClient> {
  const imap = await bareImap(dovecot, user)
  await imap.command('IDLE', /^\+ /m)
  const said = async (pattern: RegExp) => (await imap.said(pattern)).atMs
  return {
    nextArrival: () => said(/^\* \d+ EXISTS/m),
    nextFlags: () => said(CHANGED_FLAGS),
    close: () => imap.close(),
  }
}
