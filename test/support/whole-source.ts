import type { FetchedMessage } from '../../runtime/ports/mail-server.ts'

/** All bytes of a source, wherever they lie; nobody needs it after that. */
export async function wholeSource({ source }: Pick<FetchedMessage, 'source'>): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source
  try {
    return await source.read()
  } finally {
    await source.close()
  }
}
