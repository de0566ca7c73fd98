import { TOKEN_PREFIX } from '../identity.ts'

/** The two halves of a token's text: one to find its row by, one that only its owner knows. */
export interface TokenParts {
  readonly selector: string
  readonly secret: string
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SELECTOR_LENGTH = 16
/** 43 characters out of 62 carry 256 bits. */
const SECRET_LENGTH = 43
const TOKEN = new RegExp(
  `^${TOKEN_PREFIX}([0-9A-Za-z]{${SELECTOR_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})$`,
)

/** New random parts; two tokens never share a selector in practice, and the store refuses it if they do. */
export const newTokenParts = (): TokenParts => ({
  selector: randomText(SELECTOR_LENGTH),
  secret: randomText(SECRET_LENGTH),
})

export const formatToken = ({ selector, secret }: TokenParts): string =>
  `${TOKEN_PREFIX}${selector}_${secret}`

/** The parts of a token's text, or undefined when it is not in the form of one. */
export function parseToken(text: string): TokenParts | undefined {
  const [, selector, secret] = TOKEN.exec(text) ?? []
  return selector && secret ? { selector, secret } : undefined
}

function randomText(length: number): string {
  // Bytes from the last, incomplete multiple of 62 on are dropped: every character stays equally likely.
  const limit = 256 - (256 % ALPHABET.length)
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < limit && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length)
    }
  }
  return text
}
