const SHOWN_MAX = 500

/** A server's words as one line of a sensible length. */
export const shown = (words: string): string =>
  words
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, SHOWN_MAX)
