/** A source that lies in a file without a name rather than in memory. Whoever has it closes it. */
export interface SpooledSource {
  readonly byteLength: number
  /** The file descriptor: all threads of the process can read from it until it is closed. */
  readonly fd: number
  /** All of it, in memory of its own. */
  read(): Promise<Uint8Array<ArrayBuffer>>
  close(): Promise<void>
}
