/** The header field that a forwarded message carries, with the address of the account that has forwarded it. */
export const FORWARDED_BY = 'X-Svc-Forwarded-By'

/** What one of our services has forwarded before, and what comes from no mailbox or tells of a delivery (RFC 5321 section 4.5.5, RFC 6522). */
const FIELDS_THAT_END_IT = new RegExp(
  `^(?:${FORWARDED_BY}:|Return-Path:[ \\t]*<>|Content-Type:\\s*multipart/report\\b)`,
  'im',
)

/**
 * Whether a message must not be forwarded, or it would never end: two services that forward to each other, or one whose
 * forwards come back because nobody can get them.
 */
export const mayNotBeForwarded = (headersRaw: Uint8Array): boolean =>
  FIELDS_THAT_END_IT.test(new TextDecoder('latin1').decode(headersRaw))
