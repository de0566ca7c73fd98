/**
 * Pages of `size` events, each read once for all who are at it: a page lives as long as somebody holds it. `read` gives
 * the next `size` events after an id, fewer where there are no more; nothing changes about those that it gave.
 */
export function sharedPages<Event>(
  size: number,
  read: (after: number) => Promise<readonly Event[]>,
): (id: number) => Promise<readonly Event[]> {
  type Page = readonly Event[]
  const pages = new Map<number, WeakRef<Page>>()
  const reading = new Map<number, Promise<Page>>()

  const readOnce = (start: number): Promise<Page> => {
    const started = reading.get(start) ?? read(start).finally(() => reading.delete(start))
    reading.set(start, started)
    return started
  }
  const keep = (start: number, page: Page) => {
    for (const [at, known] of pages) if (!known.deref()) pages.delete(at)
    pages.set(start, new WeakRef(page))
  }
  /** The page with the next event after an id; those before it may be in it, too. Empty where there is none. */
  return async (id: number): Promise<Page> => {
    const start = id - (id % size)
    const known = pages.get(start)?.deref()
    if (known) return known
    const page = await readOnce(start)
    // The last page still grows.
    if (page.length === size && !pages.get(start)?.deref()) keep(start, page)
    return page
  }
}
