import type { SearchExpression, SearchField } from '../../domain/search/expression.ts'
import { fold } from '../../domain/search/fold.ts'
import { indexText, isUnspaced } from '../../domain/search/index-text.ts'
import type { StoredMail } from './search-mailbox.ts'

/** What names in a query mean. */
export interface NaiveNames {
  /** Folded. */
  accountNames(mail: StoredMail): readonly string[]
  survivingThread(threadId: number): number
}

/** Whether a message is asked for, by looking at it. */
export function isAskedFor(
  expression: SearchExpression,
  mail: StoredMail,
  names: NaiveNames,
): boolean {
  const asked = (part: SearchExpression): boolean => isAskedFor(part, mail, names)
  switch (expression.kind) {
    case 'and':
      return expression.of.every(asked)
    case 'or':
      return expression.of.some(asked)
    case 'not':
      return !asked(expression.of)
    case 'text':
      return textsOf(expression.field, mail).some((text) => holds(text, expression))
    case 'trait':
      return traitsOf(mail)[expression.trait]
    case 'label':
      return mail.labels.some((label) => fold(label) === fold(expression.label))
    case 'account':
      return names.accountNames(mail).includes(fold(expression.account))
    case 'in':
      return placesOf(mail).includes(fold(expression.folder))
    case 'message_id':
      return mail.digest.messageIdHeader === expression.messageIdHeader
    case 'thread':
      return names.survivingThread(expression.threadId) === mail.threadId
    case 'size':
      return expression.than === 'larger'
        ? mail.size > expression.bytes
        : mail.size < expression.bytes
    case 'date':
    default: {
      const { fromMs = -Infinity, beforeMs = Infinity } = expression
      return mail.messageDateMs >= fromMs && mail.messageDateMs < beforeMs
    }
  }
}

/** Words in this order, whole but for the last, which may go on where a star, or half a pair, says so. */
function holds(text: string, { text: wanted, isPrefix }: { text: string; isPrefix: boolean }) {
  const words = indexText(wanted)
  const last = words.split(' ').at(-1) ?? ''
  const isOpen = isPrefix || (isUnspaced(last) && Array.from(last).length === 1)
  return ` ${indexText(text)} `.includes(` ${words}${isOpen ? '' : ' '}`)
}

function textsOf(field: SearchField, { digest }: StoredMail): readonly string[] {
  const written = (list: typeof digest.from) =>
    list.map(({ name = '', address }) => `${name} ${address}`).join('\n')
  const texts = {
    from: written(digest.from),
    to: written(digest.to),
    cc: written(digest.cc),
    bcc: written(digest.bcc),
    subject: digest.subject,
    body: digest.text ?? '',
    filename: digest.attachments.map(({ filename }) => filename).join('\n'),
  }
  return field === 'any' ? Object.values(texts) : [texts[field]]
}

const traitsOf = (mail: StoredMail) => ({
  read: mail.read,
  starred: mail.starred,
  answered: mail.answered,
  draft: mail.folder.specialUse === 'drafts',
  attachment: mail.digest.attachments.some(({ inline }) => !inline),
  link: /https?:|www\.|href/.test(mail.source),
})

function placesOf({ folder }: StoredMail): readonly string[] {
  const last = folder.path.split('/').at(-1) ?? ''
  return [folder.path, last, folder.specialUse ?? ''].filter(Boolean).map(fold)
}
