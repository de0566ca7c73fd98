import PostalMime from 'postal-mime'

/** A header value with its parameters, continuations and character sets resolved (RFC 2231). */
interface StructuredHeader {
  readonly value: string
  readonly params: Record<string, string>
}

/** What a part says of itself. */
export interface PartHead {
  readonly contentType: { readonly parsed: StructuredHeader }
  readonly contentDisposition: { readonly parsed: StructuredHeader }
  readonly contentId?: string
}

/** A part of a message as postal-mime reads it. */
export interface MimePart extends PartHead {
  readonly childNodes: readonly MimePart[]
  readonly state: 'header' | 'body' | 'finished'
  readonly contentType: { readonly parsed: StructuredHeader; readonly multipart: string | false }
  readonly contentTransferEncoding: { readonly encoding: string }
  content: Uint8Array | null
  setupContentDecoder: () => void
  feed(line: Uint8Array): void
  /** `content` as text: character set decoded, format=flowed joined (RFC 3676). */
  getTextContent(): string
}

/** The line reader inside postal-mime: it finds the boundaries and reads the header fields of every part. */
export interface PartReader {
  readonly root: MimePart
  readonly currentNode: MimePart
  readonly boundaries: readonly { readonly value: Uint8Array }[]
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>
  finalize(): Promise<void>
}

/**
 * postal-mime gives no positions, and its own decoders change the bytes of attachments; so its reader is fed
 * from here and only its structure is used. These members are not in its types: the version is pinned, and
 * every test of this folder fails when they move. Going past `depthMax` throws.
 */
export const openPartReader = (depthMax: number): PartReader =>
  new PostalMime({
    maxNestingDepth: depthMax,
    maxHeadersSize: Number.MAX_SAFE_INTEGER,
  }) as unknown as PartReader
