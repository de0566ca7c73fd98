/** The header field that a forwarded message carries, with the address of the account that has forwarded it. */
export const FORWARDED_BY = 'X-Svc-Forwarded-By'

const FORWARDED_BY_LINE = new RegExp(`^${FORWARDED_BY}:`, 'im')

/** Whether one of our services has forwarded this message before: it is not forwarded again, or two would never end. */
export const wasForwarded = (headersRaw: Uint8Array): boolean =>
  FORWARDED_BY_LINE.test(new TextDecoder('latin1').decode(headersRaw))
