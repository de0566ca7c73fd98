import type { Address } from '../../db/schema/contents.ts'
import type { MessageDigest } from '../../runtime/ports/message-digest.ts'
import { indexText } from './index-text.ts'
import { sizeTrait, traitWord, type IndexedTrait } from './traits.ts'

/** The columns of the search index that the header fills. */
export const indexedHeader = ({
  subject,
  from,
  to,
  cc,
  bcc,
}: Pick<MessageDigest, 'subject' | 'from' | 'to' | 'cc' | 'bcc'>) => ({
  subject: indexText(subject),
  sender: indexText(written(from)),
  recipients: indexText(written(to)),
  cc: indexText(written(cc)),
  bcc: indexText(written(bcc)),
})

/** The columns that everything below the header fills. */
export const indexedBody = ({
  text,
  attachments,
}: {
  readonly text?: string | null | undefined
  readonly attachments: MessageDigest['attachments']
}) => ({
  filenames: indexText(attachments.map(({ filename }) => filename).join('\n')),
  body: indexText(text ?? ''),
})

/** The column of what is true of a content for good. */
export function indexedTraits({
  size,
  hasAttachments,
  hasLink,
}: {
  readonly size: number
  readonly hasAttachments: boolean
  readonly hasLink: boolean
}): string {
  const traits: IndexedTrait[] = ['content', sizeTrait(size)]
  if (hasAttachments) traits.push('attachment')
  if (hasLink) traits.push('link')
  return traits.map(traitWord).join(' ')
}

const written = (addresses: readonly Address[]): string =>
  addresses.map(({ name, address }) => `${name ?? ''} ${address}`).join('\n')
