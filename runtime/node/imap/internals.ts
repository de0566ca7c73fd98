import type { ImapAttributeNode, ImapFlow, ImapResponse } from 'imapflow'
import { enhanceCommandError, getTextValues } from 'imapflow/lib/tools.js'

/** What a command is followed by; a list stands in parentheses. */
export type Attribute = ImapAttributeNode | readonly Attribute[]

/** A command that imapflow has no method for, or whose answer its method keeps to itself. */
export interface Command {
  /** With UID before it where it is a UID command. */
  readonly name: string
  readonly attributes: readonly Attribute[]
  /** Hears the untagged OKs that come before the tagged one, and then that. */
  readonly onOk?: (ok: ImapResponse) => void
}

/** Sends a command and ends an IDLE in progress before it; throws as imapflow's own commands do, with the response code. */
export async function sendCommand(
  client: ImapFlow,
  { name, attributes, onOk = () => {} }: Command,
): Promise<void> {
  const inside = internals(client)
  try {
    if (inside.preCheck) await inside.preCheck()
    const { response, next } = await inside.exec(name, attributes, {
      untagged: { OK: async (ok) => onOk(ok) },
    })
    next()
    if (response.command?.toUpperCase() !== 'OK') throw refusal(response)
    onOk(response)
  } catch (error) {
    await enhanceCommandError(error as Refusal)
    throw error
  }
}

/** From now on every untagged response of this name that no command has asked for calls `listener`. */
export function onUntagged(client: ImapFlow, name: string, listener: () => void): void {
  internals(client).untaggedHandlers[name] = async () => listener()
}

export const atom = (value: string): Attribute => ({ type: 'ATOM', value })

type Refusal = Parameters<typeof enhanceCommandError>[0]

/** imapflow takes one NO for an OK, by its words: that some messages of a FETCH are gone. */
function refusal(response: ImapResponse): Refusal {
  return Object.assign(new Error('Command failed'), {
    response,
    responseStatus: 'NO',
    responseText: getTextValues(response.attributes).join(' '),
  })
}

/** What imapflow's own commands are made with. */
interface Internals {
  exec(
    name: string,
    attributes: readonly Attribute[],
    options: { readonly untagged: { OK(ok: ImapResponse): Promise<void> } },
  ): Promise<{ readonly response: ImapResponse; readonly next: () => void }>
  /** There while an IDLE is in progress. */
  readonly preCheck: (() => Promise<void>) | false
  readonly untaggedHandlers: Record<string, () => Promise<void>>
}

/** Its version is pinned, and tests with real servers see when these change. */
const internals = (client: ImapFlow) => client as unknown as Internals
