import type { Transcripts } from '../../runtime/ports/transcripts.ts'

/** Transcripts of a test that asks for none. */
export const noTranscripts: Transcripts = {
  of: () => () => {},
  bytes: async () => 0,
  remove: async () => {},
}
