/** The next `count` items, as far as there are; unlike the helper of the language it leaves the rest to be had. */
export function* stretch<T>(items: Iterator<T>, count: number): Generator<T> {
  for (let n = 0; n < count; n += 1) {
    const item = items.next()
    if (item.done) return
    yield item.value
  }
}
