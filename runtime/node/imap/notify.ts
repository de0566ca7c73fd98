import type { ImapFlow } from 'imapflow'
import { atom, onUntagged, sendCommand } from './internals.ts'

const EVENTS = ['MessageNew', 'MessageExpunge', 'FlagChange']

/**
 * Asks the server to tell of changes in other mailboxes too (RFC 5465); false where it cannot or will not. It calls
 * `onChange` for each, whichever mailbox it is. Not asked without mod-sequences: nothing would tell which mailboxes those are.
 */
export async function notify(client: ImapFlow, onChange: () => void): Promise<boolean> {
  if (!client.capabilities.has('NOTIFY') || !client.capabilities.has('CONDSTORE')) return false
  for (const name of ['STATUS', 'LIST']) onUntagged(client, name, onChange)
  const selected = [atom('SELECTED'), EVENTS.map(atom)]
  const personal = [atom('PERSONAL'), [...EVENTS, 'MailboxName'].map(atom)]
  try {
    await sendCommand(client, { name: 'NOTIFY', attributes: [atom('SET'), selected, personal] })
    return true
  } catch (error) {
    if (client.usable) return false
    throw error
  }
}
