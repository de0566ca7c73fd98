import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { SourceStore } from '../../runtime/ports/source-store.ts'

/** Sources in a map. */
export function memorySourceStore(): SourceStore {
  const sources = new Map<string, { readonly source: Uint8Array; readonly putMs: number }>()
  return {
    async put(source) {
      const hash = bytesToHex(sha256(source))
      sources.set(hash, { source, putMs: Date.now() })
      return hash
    },
    get: async (hash) => sources.get(hash)?.source,
    async delete(hash) {
      sources.delete(hash)
    },
    async *sweep({ beforeMs, named }) {
      for (const [hash, { putMs }] of sources) {
        if (putMs >= beforeMs || (await named([hash])).has(hash)) continue
        sources.delete(hash)
        yield 1
      }
    },
  }
}
