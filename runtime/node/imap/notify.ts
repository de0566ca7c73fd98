import type { ImapFlow } from 'imapflow'

const EVENTS = ['MessageNew', 'MessageExpunge', 'FlagChange']

/**
 * Asks the server to tell of changes in other mailboxes too (RFC 5465); false where it cannot or will not. It calls
 * `onChange` for each, whichever mailbox it is. Not asked without mod-sequences: nothing would tell which mailboxes those are.
 */
export async function notify(client: ImapFlow, onChange: () => void): Promise<boolean> {
  if (!client.capabilities.has('NOTIFY') || !client.capabilities.has('CONDSTORE')) return false
  const inside = internals(client)
  const report = async () => onChange()
  inside.untaggedHandlers['STATUS'] = report
  inside.untaggedHandlers['LIST'] = report
  const selected = [atom('SELECTED'), EVENTS.map(atom)]
  const personal = [atom('PERSONAL'), [...EVENTS, 'MailboxName'].map(atom)]
  try {
    const response = await inside.exec('NOTIFY', [atom('SET'), selected, personal])
    response.next()
    return true
  } catch (error) {
    if (client.usable) return false
    throw error
  }
}

const atom = (value: string) => ({ type: 'ATOM', value })

/** imapflow has no NOTIFY of its own; these are what its commands are made with. */
interface Internals {
  exec(command: string, attributes: readonly unknown[]): Promise<{ next(): void }>
  readonly untaggedHandlers: Record<string, () => Promise<void>>
}

/** Its version is pinned, and a test with a server that has NOTIFY sees when they change. */
const internals = (client: ImapFlow) => client as unknown as Internals
