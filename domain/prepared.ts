import type { Reader } from '../db/client.ts'

/** Of the same query; those made before are forgotten. */
const SHAPES_MAX = 1_000

/**
 * Keeps what `build` made of a store, one per `key`: building a query's SQL costs more than running it. What the
 * keys leave out must not change the query.
 */
export function preparedPer<Shape, Query>(
  key: (shape: Shape) => string,
  build: (read: Reader, shape: Shape) => Query,
): (read: Reader, shape: Shape) => Query {
  const perStore = new WeakMap<Reader, Map<string, Query>>()
  return (read, shape) => {
    const known = perStore.get(read) ?? new Map<string, Query>()
    perStore.set(read, known)
    const name = key(shape)
    const query = known.get(name) ?? build(read, shape)
    if (known.size >= SHAPES_MAX && !known.has(name)) known.clear()
    known.set(name, query)
    return query
  }
}

/** The same for a query of a single shape. */
export function prepared<Query>(build: (read: Reader) => Query): (read: Reader) => Query {
  const query = preparedPer(() => '', build)
  return (read) => query(read, undefined)
}
