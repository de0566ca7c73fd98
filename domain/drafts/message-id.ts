import { SERVICE_NAME } from '../identity.ts'

/** A Message-ID for the copies of a draft, without angle brackets; what is sent gets one of its own. */
export const newDraftMessageId = (): string =>
  `${crypto.randomUUID()}@drafts.${SERVICE_NAME}.invalid`
