/** All that a rendered source holds, for whoever takes it only as a whole. */
export async function wholeSource(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const blocks: Uint8Array[] = []
  let size = 0
  for await (const block of source) {
    blocks.push(block)
    size += block.length
  }
  const whole = new Uint8Array(size)
  let offset = 0
  for (const block of blocks) {
    whole.set(block, offset)
    offset += block.length
  }
  return whole
}
