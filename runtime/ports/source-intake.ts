import type { MessageDigest } from './message-digest.ts'

/** A source that is kept in the SourceStore, and what it says. */
export interface TakenSource {
  /** SHA-256 in lower-case hex: its name in the SourceStore. */
  readonly sourceHash: string
  readonly digest: MessageDigest
}

/** Keeps sources and reads them in one go: what a sync does with everything it fetches. */
export interface SourceIntake {
  /** In the order given; all are kept when it resolves. Never throws for what a source holds. */
  take(sources: readonly Uint8Array[]): Promise<readonly TakenSource[]>
  /** Resolves when there is room for more: await it before getting the next sources to take. */
  room(): Promise<void>
}
