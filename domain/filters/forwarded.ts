/** The header field that a forwarded message carries, with the address of each account that has forwarded it. */
const FORWARDED_BY = /^x-svc-forwarded-by:/im

/** Whether one of our services has forwarded this message before: it is not forwarded again, or two would never end. */
export const wasForwarded = (headersRaw: Uint8Array): boolean =>
  FORWARDED_BY.test(new TextDecoder('latin1').decode(headersRaw))
