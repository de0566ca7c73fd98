/** As the library summarises a literal, a long string and what it sends after a continuation request. */
const SUMMARY = /"?\(\* (\d+)B [a-z]+ \*\)"?/g
/** A string, a bracket, a word or the space between them: each character is looked at once, however hostile. */
const TOKEN = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|[[\]]|[^\s"[\]]+|\s+/g
const CONTENT_ITEM = /^\(*(?:BODY|BINARY|RFC822)/i

/**
 * A line with the size in place of what FETCH says of a message's content, which servers may send as a string where
 * it is short (RFC 9051 section 4.3). Takes time in proportion to its length.
 */
export function withoutContent(text: string): string {
  const line = text.replaceAll(SUMMARY, '{$1 bytes}')
  const lastSectionEnd = line.lastIndexOf(']')
  let before = ''
  let isInSection = false
  let isOfContent = false
  return line.replaceAll(TOKEN, (token, at: number) => {
    const isAfterSection = before === ']'
    before = token
    if (token === '[') isInSection = at < lastSectionEnd
    else if (token === ']') isInSection = false
    else if (!isInSection && token.trim() !== '') {
      const isContent = isOfContent && token.startsWith('"')
      // An offset, such as <0>, stands between the section and the content.
      isOfContent = CONTENT_ITEM.test(token) || (isOfContent && isAfterSection)
      if (isContent) return sizeOf(token)
    }
    return token
  })
}

const sizeOf = (string: string) => `{${string.replace(/^"|"$/g, '').length} bytes}`
