/** What servers want to know of a source before they get it. */
export interface SourceTraits {
  /** Bytes. */
  readonly size: number
  /** Whether its content has bytes above 127 (RFC 6152). */
  readonly hasEightBitContent: boolean
  /** Whether its header has (RFC 6532). */
  readonly hasUtf8Header: boolean
}

/** A source that is read while it is made: its whole never stands in memory. */
export interface RenderedSource extends AsyncIterable<Uint8Array> {
  /** Absent where nothing is known of it. */
  readonly traits?: () => Promise<SourceTraits | undefined>
}
