import type { MessageDigest } from './message-digest.ts'
import type { SpooledSource } from './spooled-source.ts'

/** A source, and what it says. */
export interface TakenSource {
  /** SHA-256 in lower-case hex: its name in the SourceStore. */
  readonly sourceHash: string
  /** Whether it is in the SourceStore now. */
  readonly sourceKept: boolean
  readonly digest: MessageDigest
}

/** Which sources are kept; the others are only read. */
export interface Keeping {
  /** Milliseconds UTC: messages of that date or later. */
  readonly sinceMs: number
  /** For each source when its message came in, which is its date where it says none. */
  readonly internalDatesMs: readonly number[]
}

/** Keeps sources and reads them in one go: what a sync does with everything it fetches. */
export interface SourceIntake {
  /** In the order given. All are kept without `keeping`. Never throws for what a source holds. */
  take(
    sources: readonly (Uint8Array | SpooledSource)[],
    keeping?: Keeping,
  ): Promise<readonly TakenSource[]>
  /** Resolves when there is room for more: await it before getting the next sources to take. */
  room(): Promise<void>
}
