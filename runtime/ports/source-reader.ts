import type { AttachmentInfo } from '../../db/schema/contents.ts'

/** What a source is known by. */
export interface SourceReference {
  readonly sourceHash: string
  /** Bytes of the whole source. */
  readonly size: number
  /** The source itself, from somebody who has it; it is then not looked for among those that are kept. */
  readonly bytes?: Uint8Array
}

/** A source and what its digest lists of it. */
export interface ListedSource extends SourceReference {
  readonly attachments: readonly AttachmentInfo[]
}

/** `missing`: it cannot be had now. `header_only`: it was too large to be kept whole. */
export type SourceReading<Found> = { readonly found: Found } | 'missing' | 'header_only'

/** Both bodies of a message; `html` is as received, character set decoded, nothing removed. */
export interface MessageBodies {
  readonly text?: string
  readonly html?: string
  /** A body was left out because it is too long to be answered as one. */
  readonly tooLong?: true
}

/** Bytes to hand on. They take room until the stream was read to its end or cancelled, or nobody reads on. */
export interface Download {
  readonly size: number
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
}

/** An attachment with its decoded bytes; `info` is as listed. */
export interface AttachmentDownload extends Download {
  readonly info: AttachmentInfo
}

/**
 * Reads kept sources, whose bytes are checked against their hash. Holds a bounded part of them in memory, whatever
 * is asked for at once. Hostile and broken ones give what can be read: every method throws only for one that takes
 * too long, or ends its reader, and when `signal` was aborted before its turn came.
 */
export interface SourceReader {
  bodies(source: SourceReference): Promise<SourceReading<MessageBodies>>
  /** The attachment that is listed at `index`, also by a digest of long ago; undefined when there is none. */
  attachment(
    source: ListedSource,
    index: number,
    signal?: AbortSignal,
  ): Promise<SourceReading<AttachmentDownload | undefined>>
  /** The source byte for byte. */
  whole(source: SourceReference, signal?: AbortSignal): Promise<SourceReading<Download>>
}
