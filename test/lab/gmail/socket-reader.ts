import type { Socket } from 'node:net'

/** What a client sent, line by line and in between by number of bytes. */
export class SocketReader {
  readonly #chunks: AsyncIterator<Buffer>
  #pending = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.#chunks = socket[Symbol.asyncIterator]()
  }

  /** Without its CRLF, each byte a character; undefined after the end. */
  async line(): Promise<string | undefined> {
    while (!this.#pending.includes('\r\n')) if (!(await this.#more())) return undefined
    const line = await this.bytes(this.#pending.indexOf('\r\n'))
    await this.bytes(2)
    return line
  }

  /** Each byte a character; undefined after the end. */
  async bytes(count: number): Promise<string | undefined> {
    while (this.#pending.length < count) if (!(await this.#more())) return undefined
    const bytes = this.#pending.subarray(0, count)
    this.#pending = this.#pending.subarray(count)
    return bytes.toString('latin1')
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next()
    if (done) return false
    this.#pending = Buffer.concat([this.#pending, value])
    return true
  }
}
