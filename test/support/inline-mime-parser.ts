import { digestMessage } from '../../domain/mime/digest-message.ts'
import { messageBodies } from '../../domain/mime/message-bodies.ts'
import { readAttachment } from '../../domain/mime/read-attachment.ts'
import type { MimeParser } from '../../runtime/ports/mime-parser.ts'

/** Parses where it is called, without threads. */
export const inlineMimeParser: MimeParser = {
  digest: digestMessage,
  bodies: messageBodies,
  attachment: readAttachment,
}
