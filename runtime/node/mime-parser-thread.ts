import { parentPort } from 'node:worker_threads'

import { digestMessage } from '../../domain/mime/digest-message.ts'
import { messageBodies } from '../../domain/mime/message-bodies.ts'
import { readAttachment } from '../../domain/mime/read-attachment.ts'
import type { AttachmentContent, MessageBodies, MessageDigest } from '../ports/mime-parser.ts'
import type { TakenSource } from '../ports/source-intake.ts'
import type { SourceStore } from '../ports/source-store.ts'
import { openFileSourceStore } from './file-source-store.ts'

/** What a thread is asked, one request at a time; only `take` brings more than one source. */
export type ParseRequest = { readonly sources: readonly Uint8Array[] } & (
  | { readonly kind: 'digest' | 'bodies' }
  | { readonly kind: 'attachment'; readonly index: number }
  | { readonly kind: 'take'; readonly directory: string }
)

export type ParseResult =
  | MessageDigest
  | MessageBodies
  | AttachmentContent
  | readonly TakenSource[]
  | undefined

const answer = (request: ParseRequest): Promise<ParseResult> => {
  const [source = new Uint8Array()] = request.sources
  if (request.kind === 'take') return take(request.sources, openFileSourceStore(request.directory))
  if (request.kind === 'attachment') return readAttachment(source, request.index)
  return request.kind === 'digest' ? digestMessage(source) : messageBodies(source)
}

const take = (
  sources: readonly Uint8Array[],
  store: SourceStore,
): Promise<readonly TakenSource[]> =>
  Promise.all(
    sources.map(async (source) => ({
      sourceHash: await store.put(source),
      digest: await digestMessage(source),
    })),
  )

// An error ends the thread: the pool then answers for this source without its parts, and starts another thread.
parentPort?.on('message', (request: ParseRequest) => {
  void answer(request).then((result) => parentPort?.postMessage(result, []))
})
