import type { ImapFlow } from 'imapflow'
import { encodePath } from 'imapflow/lib/tools.js'
import type { Attribute } from './internals.ts'

/** What no string can hold (RFC 9051 section 4.3). */
const UNSPEAKABLE = /[\0\r\n]/

/**
 * A mailbox name or a label as a command takes it: quoted, in modified UTF-7 unless the server speaks UTF-8 (RFC 9051
 * appendix A). Throws where it holds a line break or NUL.
 */
export function mailboxName(client: ImapFlow, path: string): Attribute {
  if (UNSPEAKABLE.test(path)) throw new Error('A mailbox name holds no line break and no NUL.')
  return { type: 'STRING', value: encodePath(client, path) }
}
