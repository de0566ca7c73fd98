export interface DocumentNode {
  readonly path: readonly string[]
  readonly node: Readonly<Record<string, unknown>>
}

/** Every object of a JSON document with the path to it, outside examples. */
export function nodesOf(value: unknown, path: readonly string[] = []): readonly DocumentNode[] {
  if (typeof value !== 'object' || value === null) return []
  const isExample = path.at(-1) === 'example' && path.at(-2) !== 'properties'
  if (isExample) return []
  const below = Object.entries(value).flatMap(([key, child]) => nodesOf(child, [...path, key]))
  return Array.isArray(value) ? below : [{ path, node: value as DocumentNode['node'] }, ...below]
}
