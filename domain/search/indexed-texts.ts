import type { Address, AttachmentInfo } from '../../db/schema/contents.ts'
import type { MessageDigest } from '../../runtime/ports/message-digest.ts'
import { indexText } from './index-text.ts'

/** What is indexed of a message's attachments that are not shown in its text, and of its links. */
export type IndexedTrait = 'attachment' | 'link'

/** The characters of private use at the beginning keep it apart from all words that people write. */
export const traitWord = (trait: IndexedTrait): string => `\u{e5e0}\u{e5e1}${trait}`

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

interface IndexedBody {
  readonly text?: string | null | undefined
  readonly attachments: readonly AttachmentInfo[]
  readonly hasLink: boolean
}

/** The columns that everything below the header fills. */
export const indexedBody = ({ text, attachments, hasLink }: IndexedBody) => ({
  filenames: indexText(attachments.map(({ filename }) => filename).join('\n')),
  body: indexText(text ?? ''),
  traits: [
    ...(attachments.some(({ inline }) => !inline) ? [traitWord('attachment')] : []),
    ...(hasLink ? [traitWord('link')] : []),
  ].join(' '),
})

const written = (addresses: readonly Address[]): string =>
  addresses.map(({ name, address }) => `${name ?? ''} ${address}`).join('\n')
