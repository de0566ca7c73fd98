import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { SourceStore } from '../../runtime/ports/source-store.ts'

/** Sources in a map. */
export function memorySourceStore(): SourceStore {
  const sources = new Map<string, Uint8Array>()
  return {
    async put(source) {
      const hash = bytesToHex(sha256(source))
      sources.set(hash, source)
      return hash
    },
    get: async (hash) => sources.get(hash),
    async delete(hash) {
      sources.delete(hash)
    },
  }
}
