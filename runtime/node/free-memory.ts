/** Below this the garbage collector is soon enough, and Node may keep other bytes in the same buffer. */
const BYTES_MIN = 1024 * 1024

/** Gives the memory under `bytes` back at once: a garbage collection may come only after several such buffers. */
export function freeMemory({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= BYTES_MIN) buffer.transfer(0)
}
