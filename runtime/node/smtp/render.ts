import type { RenderedSource, SourceTraits } from '../../ports/rendered-source.ts'
import type { OutgoingParts } from '../../ports/submission.ts'
import { hasUtf8Header, headerFields } from './header-fields.ts'
import { contentStream } from './mime-tree.ts'
import { type Travelling, travelling } from './travelling.ts'

const BASE64_LINE_LENGTH = 76
/** A source no larger than this is kept once it was made for its traits: most have no attachment. */
const KEPT_BYTES_MAX = 64 * 1024

/** The source of a message, made while it is read. */
export function render(parts: OutgoingParts): RenderedSource {
  let asked: Promise<readonly Travelling[]> | undefined
  let kept: readonly Uint8Array[] | undefined
  const attachments = () => (asked ??= Promise.all(parts.attachments.map(travelling)))
  return {
    async traits() {
      const all = await attachments()
      const { blocks, size } = await withoutAttachments(parts, all)
      if (all.length === 0) kept = blocks
      return traits(parts, all, size)
    },
    async *[Symbol.asyncIterator]() {
      yield* kept ?? source(parts, await attachments())
    },
  }
}

async function* source(
  parts: OutgoingParts,
  attachments: readonly Travelling[],
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(headerFields(parts))
  yield* contentStream(parts, attachments)
}

/** What the source is but for what is attached: how long, and where that is not much, the bytes. */
async function withoutAttachments(parts: OutgoingParts, attachments: readonly Travelling[]) {
  let size = 0
  let blocks: Uint8Array[] | undefined = []
  for await (const block of source(parts, attachments.map(emptied))) {
    size += block.length
    if (size > KEPT_BYTES_MAX) blocks = undefined
    blocks?.push(block)
  }
  return { size, blocks }
}

function traits(
  parts: OutgoingParts,
  attachments: readonly Travelling[],
  textSize: number,
): SourceTraits {
  let size = textSize
  for (const { attachment, encoding } of attachments)
    size += encoding === 'base64' ? base64Length(attachment.size) : attachment.size
  return {
    size,
    hasEightBitContent: attachments.some(({ encoding }) => encoding === '8bit'),
    hasUtf8Header: hasUtf8Header(parts.message),
  }
}

const emptied = (travelling: Travelling): Travelling => ({
  ...travelling,
  attachment: { ...travelling.attachment, content: () => nothing() },
})

async function* nothing(): AsyncGenerator<Uint8Array> {
  // An attachment without a byte.
}

/** With a CRLF between its lines. */
function base64Length(bytes: number): number {
  const length = 4 * Math.ceil(bytes / 3)
  return length + 2 * Math.max(0, Math.ceil(length / BASE64_LINE_LENGTH) - 1)
}
