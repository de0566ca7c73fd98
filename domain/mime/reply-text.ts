/** Lines above a quotation, as mail clients write them: "On <date>, <name> wrote:" and its translations. */
const ATTRIBUTION =
  /^(?:on|am|le|el|il|op|em|den|dne|w dniu|в|il giorno|no dia|på)\s.{6,300}(?:wrote|schrieb|écrit|escribió|ha scritto|schreef|escreveu|skrev|napsal|napisał|пишет|написал)[^:]{0,60}[:：]$/iu
const EAST_ASIAN_ATTRIBUTION = /^.{4,200}(?:写道|寫道|のメール|書きました|작성)\s?[:：]?$/u
const ORIGINAL_MESSAGE =
  /^[-_]{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|oorspronkelijk bericht|forwarded message|weitergeleitete nachricht)\s*[-_]{2,}$/i
const HEADER_FROM = /^\*?(?:from|von|de|da|van|från|fra|от|发件人|差出人)\s?[:：]\*?\s?\S/i
const HEADER_SENT =
  /^\*?(?:sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado|para|asunto|inviato|verzonden|aan|onderwerp|skickat|sendt|отправлено|发送时间|送信日時)\s?[:：]\*?/i
const MOBILE_SIGNATURE =
  /^(?:sent from my [\w -]{2,40}$|sent from (?:outlook|yahoo|mail) |get outlook for |von meinem .{2,40} gesendet|envoyé de mon |enviado desde mi |inviato da |verzonden vanaf )/i

const isQuoted = (line: string): boolean => line.startsWith('>')
const isBlank = (line: string): boolean => line.trim() === ''

/**
 * What the sender of a reply wrote: quoted lines and the attribution above them go, the text between quotations
 * stays; a history that is not marked as quoted (a header block, "Original Message") and a signature end it.
 */
export function replyText(text: string): string {
  const lines = text.split(/\r\n|[\r\n]/)
  const kept: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (endsReply(lines, at)) break
    const attributionLines = attributionLength(lines, at)
    if (attributionLines > 0) {
      at += attributionLines - 1
      if (!isQuoted(nextText(lines, at + 1))) break
      continue
    }
    if (!isQuoted(line)) kept.push(line.trimEnd())
  }
  return kept
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function endsReply(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  const trimmed = line.trim()
  if (line === '-- ' || line === '--' || ORIGINAL_MESSAGE.test(trimmed)) return true
  if (MOBILE_SIGNATURE.test(trimmed) && isBlank(nextUnquoted(lines, at + 1))) return true
  if (/^_{10,}$/.test(trimmed)) return HEADER_FROM.test(nextText(lines, at + 1).trim())
  return HEADER_FROM.test(trimmed) && HEADER_SENT.test((lines[at + 1] ?? '').trim())
}

/** How many lines the attribution at `at` takes: clients wrap it after 76 characters. 0 when there is none. */
function attributionLength(lines: readonly string[], at: number): number {
  let joined = ''
  for (let count = 1; count <= 3; count++) {
    const line = lines[at + count - 1]
    if (line === undefined || isBlank(line) || isQuoted(line)) return 0
    joined = `${joined} ${line.trim()}`.trim()
    if (joined.length > 400) return 0
    if (ATTRIBUTION.test(joined) || EAST_ASIAN_ATTRIBUTION.test(joined)) return count
  }
  return 0
}

/** The next line that is not blank. */
const nextText = (lines: readonly string[], from: number): string => {
  for (let at = from; at < lines.length; at++) {
    if (!isBlank(lines[at] ?? '')) return lines[at] ?? ''
  }
  return ''
}

/** The next line that is neither blank nor quoted, nor the beginning of a history. */
function nextUnquoted(lines: readonly string[], from: number): string {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (isBlank(line) || isQuoted(line)) continue
    return attributionLength(lines, at) > 0 ||
      ORIGINAL_MESSAGE.test(line.trim()) ||
      HEADER_FROM.test(line)
      ? ''
      : line
  }
  return ''
}
