import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** What a source is known by: SHA-256 in lower-case hex. */
export const sourceHashOf = (source: Uint8Array): string => bytesToHex(sha256(source))
