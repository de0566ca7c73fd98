import type { Logger } from 'imapflow'
import type { Transcript, TranscriptLine } from '../../ports/transcripts.ts'
import { withoutContent } from './without-content.ts'

/** Enough for every line that a person reads; a list of many UIDs or mailboxes is cut. */
const TEXT_LENGTH_MAX = 4_000
const HIDDEN = '***'

/** What the library says of a line that went over the wire; other entries have no `src`. */
interface Entry {
  readonly src?: 'c' | 's'
  readonly msg?: string
  readonly cid?: string
  readonly payloadBytes?: number
}

/**
 * Writes what imapflow logs of its connection into a transcript. The library leaves literals out; this leaves out
 * logins, what FETCH says of a message's content, and what `mask` hides wherever the server repeats it.
 */
export function transcribingLogger(transcript: Transcript, mask: (text: string) => string): Logger {
  const hideLogin = loginHider()
  const write = (entry: unknown) => {
    const { src, msg, cid = '', payloadBytes } = entry as Entry
    if (src === undefined || msg === undefined) return
    const from = src === 'c' ? 'client' : 'server'
    const said = payloadBytes === undefined ? msg : `(unreadable, ${payloadBytes} bytes)`
    const text = mask(withoutContent(hideLogin(from, said)))
    transcript({ connection: cid, from, text: cut(text) })
  }
  return { trace: write, debug: write, info: write, warn: write, error: write }
}

/** Hides the arguments of LOGIN, and of AUTHENTICATE all that follows the mechanism, to the tagged answer. */
function loginHider(): (from: TranscriptLine['from'], text: string) => string {
  let authenticating: string | undefined
  return (from, text) => {
    if (from === 'client') {
      const [, tag, command = '', mechanism = ''] =
        /^(\S+) (LOGIN|AUTHENTICATE (\S+))/i.exec(text) ?? []
      if (tag === undefined) return authenticating === undefined ? text : HIDDEN
      if (mechanism) authenticating = tag
      return `${tag} ${command} ${HIDDEN}`
    }
    if (authenticating === undefined) return text
    if (text.startsWith(`${authenticating} `)) authenticating = undefined
    return text.startsWith('+') ? `+ ${HIDDEN}` : text
  }
}

const cut = (text: string) =>
  text.length <= TEXT_LENGTH_MAX
    ? text
    : `${text.slice(0, TEXT_LENGTH_MAX)} (and ${text.length - TEXT_LENGTH_MAX} characters)`
