import { describe, expect, test } from 'vitest'

import type { SourceStore } from '../../../runtime/ports/source-store.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const SHA256_OF_ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

/** What every SourceStore guarantees. `use` runs a body with a store of its own. */
export function sourceStoreSuite(
  name: string,
  use: (body: (store: SourceStore) => Promise<void>) => Promise<void>,
): void {
  describe(`${name} as a SourceStore`, () => {
    test('the name of a source is its SHA-256', () =>
      use(async (store) => {
        expect(await store.put(bytes('abc'))).toBe(SHA256_OF_ABC)
        expect(await store.get(SHA256_OF_ABC)).toEqual(bytes('abc'))
      }))

    test('any bytes come back as they were, none and many', () =>
      use(async (store) => {
        const all = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 7919) % 256)
        for (const source of [new Uint8Array(0), all]) {
          expect(await store.get(await store.put(source))).toEqual(source)
        }
      }))

    test('a view into a larger buffer keeps only what it shows', () =>
      use(async (store) => {
        const view = bytes('xxabcxx').subarray(2, 5)
        expect(await store.put(view)).toBe(SHA256_OF_ABC)
        expect(await store.get(SHA256_OF_ABC)).toEqual(bytes('abc'))
      }))

    test('the same source may be kept twice, also at the same time', () =>
      use(async (store) => {
        await Promise.all([store.put(bytes('abc')), store.put(bytes('abc'))])
        await store.put(bytes('abc'))
        expect(await store.get(SHA256_OF_ABC)).toEqual(bytes('abc'))
        await store.delete(SHA256_OF_ABC)
        expect(await store.get(SHA256_OF_ABC)).toBeUndefined()
      }))

    test('a sweep takes what nothing names, but not what was put since', () =>
      use(async (store) => {
        const named = await store.put(bytes('named'))
        const unnamed = await store.put(bytes('unnamed'))
        const swept = async (beforeMs: number) => {
          let removed = 0
          const sweep = { beforeMs, named: async () => new Set([named]) }
          for await (const count of store.sweep(sweep)) removed += count
          return removed
        }
        expect(await swept(Date.now() - 60_000)).toBe(0)
        expect(await store.get(unnamed)).toBeDefined()
        expect(await swept(Date.now() + 60_000)).toBe(1)
        expect(await store.get(unnamed)).toBeUndefined()
        expect(await store.get(named)).toBeDefined()
      }))

    test('a source that is not there is undefined, and forgetting it is no error', () =>
      use(async (store) => {
        expect(await store.get(SHA256_OF_ABC)).toBeUndefined()
        expect(await store.get('../../etc/passwd')).toBeUndefined()
        await store.delete(SHA256_OF_ABC)
        await store.delete('../../etc/passwd')
      }))
  })
}
