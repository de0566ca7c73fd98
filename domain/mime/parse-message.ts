import { cutParts } from './cut-parts.ts'
import type { MimePart } from './postal-mime-parts.ts'
import { decodeTransfer } from './transfer-encoding.ts'

/** A part that is no multipart, with its body as it stands in the source. */
export interface Leaf {
  readonly part: MimePart
  readonly body: Uint8Array
  /** Whether the part stands in a multipart/related, where a Content-ID makes it a resource of the HTML. */
  readonly related: boolean
}

/** The leaves of a message by what they are to a reader, in the order of the source. */
export interface ParsedMessage {
  readonly plain: readonly Leaf[]
  readonly html: readonly Leaf[]
  readonly attachments: readonly Leaf[]
}

/** Representations of the body that only some clients show: no attachments, and text/html says the same. */
const OTHER_RENDERINGS: ReadonlySet<string> = new Set(['text/x-amp-html', 'text/watch-html'])

/**
 * Sorts the parts of a message into bodies and attachments. Nested messages (message/rfc822) stay whole and
 * are attachments. Never throws.
 */
export async function parseMessage(source: Uint8Array): Promise<ParsedMessage> {
  const { root, bodies } = await cutParts(source)
  const plain: Leaf[] = []
  const html: Leaf[] = []
  const attachments: Leaf[] = []
  const leaves = leavesOf(root, bodies)
  for (const leaf of leaves) {
    const type = leaf.part.contentType.parsed.value
    if (OTHER_RENDERINGS.has(type) && leaf.part !== root) continue
    if (!isBody(leaf, leaf === leaves[0], root)) attachments.push(leaf)
    else if (type === 'text/html') html.push(leaf)
    else plain.push(leaf)
  }
  return { plain, html, attachments }
}

function leavesOf(root: MimePart, bodies: ReadonlyMap<MimePart, Uint8Array>): readonly Leaf[] {
  const leaves: Leaf[] = []
  const visit = (part: MimePart, related: boolean): void => {
    if (part.childNodes.length === 0) {
      leaves.push({ part, body: bodies.get(part) ?? new Uint8Array(0), related })
    }
    const inside = related || part.contentType.multipart === 'related'
    for (const child of part.childNodes) visit(child, inside)
  }
  visit(root, false)
  return leaves
}

/**
 * Whether a leaf is read as text of the message. A text part with a file name is an attachment, unless it comes
 * first: some clients name the body itself. A multipart whose boundary never comes is read as text.
 */
function isBody(leaf: Leaf, isFirst: boolean, root: MimePart): boolean {
  const { part } = leaf
  const type = part.contentType.parsed.value
  if (part.contentType.multipart) return true
  if (part.contentDisposition.parsed.value === 'attachment') return false
  if (type === 'text/html' || type === 'text/plain' || !type.includes('/')) {
    return isFirst || declaredName(part) === undefined
  }
  return (
    part === root &&
    type.startsWith('text/') &&
    type !== 'text/calendar' &&
    declaredName(part) === undefined
  )
}

/** The file name a part declares, as it stands there. */
export const declaredName = (part: MimePart): string | undefined =>
  part.contentDisposition.parsed.params['filename'] ||
  part.contentType.parsed.params['name'] ||
  undefined

/** The decoded bytes of a leaf, exactly as they were sent. */
export const bytesOf = (leaf: Leaf): Uint8Array =>
  decodeTransfer(leaf.part.contentTransferEncoding.encoding, leaf.body)
