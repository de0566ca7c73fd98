import type { AttachmentInfo } from '../../db/schema/contents.ts'
import { attachmentInfo } from './attachment-info.ts'
import { bytesOf, type Leaf, parseMessage } from './parse-message.ts'

/** An attachment with its decoded bytes. */
export interface AttachmentContent {
  /** As it is listed. */
  readonly info: AttachmentInfo
  /** May be a view into the source. */
  readonly bytes: Uint8Array
}

/** The list of a digest, and which of its attachments is meant. */
interface Listing {
  readonly listed: readonly AttachmentInfo[]
  readonly info: AttachmentInfo
  readonly index: number
}

type Identity = (info: AttachmentInfo) => string

const byName: Identity = ({ filename, contentType, size }) => `${size} ${contentType} ${filename}`
/** For names that are read, or made up, otherwise now. */
const bySize: Identity = ({ contentType, size }) => `${size} ${contentType}`

/**
 * The attachment that `listed` has at `index`, its bytes exactly as sent; undefined when there is none. The list may
 * be older than the way attachments are found and named now: what it describes is what comes.
 */
export async function readAttachment(
  source: Uint8Array,
  listed: readonly AttachmentInfo[],
  index: number,
): Promise<AttachmentContent | undefined> {
  const info = listed[index]
  if (!info) return undefined
  const { attachments } = await parseMessage(source)
  const leaf = leafOf(attachments, { listed, info, index })
  return leaf && { info, bytes: bytesOf(leaf) }
}

function leafOf(leaves: readonly Leaf[], listing: Listing): Leaf | undefined {
  const { listed, info, index } = listing
  const atIndex = leaves.length === listed.length ? leaves[index] : undefined
  // Nearly always; the others, whose sizes are known once they are decoded, are spared then.
  if (atIndex && byName(attachmentInfo(atIndex, index)) === byName(info)) return atIndex
  const found = leaves.map(attachmentInfo)
  const place = placeBy(byName, found, listing) ?? placeBy(bySize, found, listing)
  return place === undefined ? atIndex : leaves[place]
}

/** Of several with one identity, the first one listed is the first one found, and so on. */
function placeBy(
  identity: Identity,
  found: readonly AttachmentInfo[],
  { listed, info, index }: Listing,
): number | undefined {
  const isMeant = (other: AttachmentInfo) => identity(other) === identity(info)
  const before = listed.slice(0, index).filter(isMeant).length
  return found.flatMap((other, place) => (isMeant(other) ? [place] : []))[before]
}
