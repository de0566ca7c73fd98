/** The header field that a forwarded message carries, with the address of the account that has forwarded it. */
export const FORWARDED_BY = 'X-Svc-Forwarded-By'

/** Forwarded by one of our services, from no mailbox (RFC 5321 section 4.5.5), or a report on a delivery (RFC 6522). */
const ENDING_FIELDS = new RegExp(
  `^(?:${FORWARDED_BY}:|Return-Path:[ \\t]*<>|Content-Type:\\s*multipart/report\\b)`,
  'im',
)

/**
 * Whether a message must not be forwarded, or it would never end: two services that forward to each other, or one whose
 * forwards come back because nobody can get them.
 */
export const mayNotBeForwarded = (headersRaw: Uint8Array): boolean =>
  ENDING_FIELDS.test(new TextDecoder('latin1').decode(headersRaw))
