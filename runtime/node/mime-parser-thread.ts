import { parentPort } from 'node:worker_threads'

import { digestMessage } from '../../domain/mime/digest-message.ts'
import { messageBodies } from '../../domain/mime/message-bodies.ts'
import { readAttachment } from '../../domain/mime/read-attachment.ts'
import type { AttachmentContent, MessageBodies, MessageDigest } from '../ports/mime-parser.ts'

/** What a thread is asked, one request at a time. */
export type ParseRequest =
  | { readonly kind: 'digest' | 'bodies'; readonly source: Uint8Array }
  | { readonly kind: 'attachment'; readonly source: Uint8Array; readonly index: number }

export type ParseResult = MessageDigest | MessageBodies | AttachmentContent | undefined

const answer = (request: ParseRequest): Promise<ParseResult> => {
  const { kind, source } = request
  if (kind === 'attachment') return readAttachment(source, request.index)
  return kind === 'digest' ? digestMessage(source) : messageBodies(source)
}

// An error ends the thread: the pool then answers for this source without its parts, and starts another thread.
parentPort?.on('message', (request: ParseRequest) => {
  void answer(request).then((result) => parentPort?.postMessage(result, []))
})
