import { cutParts } from './cut-parts.ts'
import type { MimePart, PartHead } from './postal-mime-parts.ts'
import { decodedSize, decodeTransfer } from './transfer-encoding.ts'
import { cutUuencoded } from './uuencode.ts'

/** Files taken out of the texts of one message; stops a megabyte of empty ones from becoming 50,000 attachments. */
const UUENCODED_FILES_MAX = 1000

/** A part that is no multipart, or a file that stood in a text. */
export interface Leaf {
  readonly part: PartHead
  /** In the transfer encoding `encoding`, as it stands in the source. */
  readonly body: Uint8Array
  readonly encoding: string
  /** Whether the part stands in a multipart/related, where a Content-ID makes it a resource of the HTML. */
  readonly related: boolean
}

/** A part that holds text. */
export interface TextLeaf extends Leaf {
  readonly part: MimePart
  /** What the message itself declares, for parts that declare nothing. */
  readonly messageCharset: string | undefined
}

/** The leaves of a message by what they are to a reader, in the order of the source. */
export interface ParsedMessage {
  readonly plain: readonly TextLeaf[]
  readonly html: readonly TextLeaf[]
  readonly attachments: readonly Leaf[]
}

/** Representations of the body that only some clients show: no attachments, and text/html says the same. */
const OTHER_RENDERINGS: ReadonlySet<string> = new Set(['text/x-amp-html', 'text/watch-html'])

/**
 * Sorts the parts of a message into bodies and attachments. Nested messages (message/rfc822) stay whole and
 * are attachments; so do uuencoded files, which are taken out of the text they stand in. Never throws.
 */
export async function parseMessage(source: Uint8Array): Promise<ParsedMessage> {
  const { root, bodies } = await cutParts(source)
  const plain: TextLeaf[] = []
  const html: TextLeaf[] = []
  const attachments: Leaf[] = []
  const leaves = leavesOf(root, bodies)
  let filesLeft = UUENCODED_FILES_MAX
  for (const leaf of leaves) {
    const type = leaf.part.contentType.parsed.value
    if (OTHER_RENDERINGS.has(type) && leaf.part !== root) continue
    if (!isBody(leaf, leaf === leaves[0], root)) attachments.push(leaf)
    else if (type === 'text/html') html.push(leaf)
    else {
      const { text, files } = withoutFiles(leaf, filesLeft)
      filesLeft -= files.length
      plain.push(text)
      attachments.push(...files)
    }
  }
  return { plain, html, attachments }
}

/** The text of a leaf and the uuencoded files that stood in it. */
function withoutFiles(
  leaf: TextLeaf,
  filesMax: number,
): { readonly text: TextLeaf; readonly files: readonly Leaf[] } {
  const { text, files } = cutUuencoded(bytesOf(leaf), filesMax)
  return { text: { ...leaf, body: text, encoding: 'binary' }, files: files.map(fileLeaf) }
}

const fileLeaf = ({ filename, body }: { filename: string; body: Uint8Array }): Leaf => ({
  part: {
    contentType: { parsed: { value: 'application/octet-stream', params: {} } },
    contentDisposition: { parsed: { value: 'attachment', params: { filename } } },
  },
  body,
  encoding: 'x-uuencode',
  related: false,
})

function leavesOf(root: MimePart, bodies: ReadonlyMap<MimePart, Uint8Array>): readonly TextLeaf[] {
  const leaves: TextLeaf[] = []
  const messageCharset = root.contentType.parsed.params['charset']
  const visit = (part: MimePart, related: boolean): void => {
    if (part.childNodes.length === 0) {
      const { encoding } = part.contentTransferEncoding
      const body = bodies.get(part) ?? new Uint8Array(0)
      leaves.push({ part, body, encoding, related, messageCharset })
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
function isBody(leaf: TextLeaf, isFirst: boolean, root: MimePart): boolean {
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
export const declaredName = (part: PartHead): string | undefined =>
  part.contentDisposition.parsed.params['filename'] ||
  part.contentType.parsed.params['name'] ||
  undefined

/** The decoded bytes of a leaf, exactly as they were sent. */
export const bytesOf = (leaf: Leaf): Uint8Array => decodeTransfer(leaf.encoding, leaf.body)

/** How many they are. */
export const sizeOf = (leaf: Leaf): number => decodedSize(leaf.encoding, leaf.body)
