import type { FileHandle } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'

import { digestMessage } from '../../domain/mime/digest-message.ts'
import { isToBeKept } from '../../domain/sources/keeping.ts'
import type { MessageDigest } from '../ports/message-digest.ts'
import type { Keeping, TakenSource } from '../ports/source-intake.ts'
import type {
  ListedSource,
  MessageBodies,
  SourceReading,
  SourceReference,
} from '../ports/source-reader.ts'
import { StorageError } from '../ports/storage-error.ts'
import { openFileSourceStore, sourceHashOf } from './file-source-store.ts'
import { freeMemory } from './free-memory.ts'
import {
  readBodies,
  spoolAttachment,
  spoolSource,
  type Spooled,
  type SpooledAttachment,
} from './read-source.ts'
import type { SpoolPlace } from './spool-file.ts'
import { readSpooled, type SpooledAt } from './spooled-source.ts'

/** What a thread is asked, one request at a time. */
export type ParseRequest = BringRequest | ReadRequest

/** A request that brings sources. */
export type BringRequest =
  | { readonly kind: 'digest'; readonly sources: readonly [Uint8Array] }
  | {
      readonly kind: 'take'
      readonly sources: readonly (Uint8Array | SpooledAt)[]
      readonly directory: string
      readonly keeping?: Keeping
    }

/** A request to read a source that is given, or kept under `directory`. */
export type ReadRequest = { readonly directory: string } & (
  | { readonly kind: 'bodies'; readonly source: SourceReference }
  | { readonly kind: 'whole'; readonly source: SourceReference; readonly place: SpoolPlace }
  | {
      readonly kind: 'attachment'
      readonly source: ListedSource
      readonly index: number
      readonly place: SpoolPlace
    }
)

/** `refused`: the disk takes no bytes. */
const unlessRefused = <Read>(reading: Promise<Read>): Promise<Read | 'refused'> =>
  reading.catch((error: unknown) => {
    if (error instanceof StorageError) return 'refused'
    throw error
  })

type TakeRequest = Extract<BringRequest, { kind: 'take' }>

export type ParseResult =
  | MessageDigest
  | readonly TakenSource[]
  | SourceReading<MessageBodies>
  | SourceReading<Spooled>
  | SourceReading<SpooledAttachment | undefined>
  | 'refused'

async function answer(request: ParseRequest): Promise<ParseResult> {
  switch (request.kind) {
    case 'digest':
      return digestMessage(request.sources[0])
    case 'take':
      return take(request)
    case 'bodies':
      return readBodies(request.directory, request.source)
    case 'attachment':
      return unlessRefused(spoolAttachment(request, request.source, request.index))
    case 'whole':
      return unlessRefused(spoolSource(request, request.source))
    default:
      return request satisfies never
  }
}

function take({ sources, directory, keeping }: TakeRequest): Promise<readonly TakenSource[]> {
  const store = openFileSourceStore(directory)
  const takeOne = async (source: Uint8Array, index: number): Promise<TakenSource> => {
    const digest = await digestMessage(source)
    const sourceKept = !keeping || isToBeKept(digest, index, keeping)
    const sourceHash = sourceKept ? await store.put(source) : sourceHashOf(source)
    return { sourceHash, sourceKept, digest }
  }
  return Promise.all(
    sources.map(async (source, index) => {
      if (source instanceof Uint8Array) return takeOne(source, index)
      const bytes = await readSpooled(source)
      return takeOne(bytes, index).finally(() => freeMemory(bytes))
    }),
  )
}

/** A file moves to the thread that asked, and so outlives this one. */
function filesOf(result: ParseResult): FileHandle[] {
  const found = typeof result === 'object' && 'found' in result ? result.found : undefined
  return found && 'file' in found ? [found.file] : []
}

// An error ends the thread: the pool then answers for this source without its parts, and starts another thread.
parentPort?.on('message', (request: ParseRequest) => {
  void answer(request).then((result) => parentPort?.postMessage(result, filesOf(result)))
})
