import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openFileSourceStore } from '../../../runtime/node/file-source-store.ts'
import { openMimeParserPool, type MimeParserPool } from '../../../runtime/node/mime-parser-pool.ts'
import {
  threadedSourceReader,
  type SourceReaderLimits,
} from '../../../runtime/node/threaded-source-reader.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { bytesOf, foundIn, sourceReaderSuite } from '../suites/source-reader.ts'

const LIMITS = {
  spoolBytesMax: 1_000_000,
  spoolBytesMaxElsewhere: 700_000,
  largeBytes: 1_000_000,
  stallMs: 60_000,
}

const readerOf = (parser: Partial<MimeParserPool>, limits: Partial<SourceReaderLimits> = {}) =>
  threadedSourceReader(
    { bodies: unused, attachment: unused, whole: unused, ...parser },
    { ...LIMITS, ...limits },
  )

const unused = () => Promise.reject(new Error('Not asked for.'))

function setUp() {
  const directory = temporaryDirectory()
  const parser = openMimeParserPool({ sourcesDirectory: directory.path })
  onTestFinished(async () => {
    await parser.close()
    directory[Symbol.dispose]()
  })
  return { path: directory.path, parser, store: openFileSourceStore(directory.path) }
}

sourceReaderSuite('the reader with threads', async (body) => {
  const { path, parser, store } = setUp()
  await body(readerOf(parser), store)
  expect(readdirSync(path).filter((name) => name.length !== 2)).toEqual([])
})

test('a download outlives the thread that made it', async () => {
  const { parser, store } = setUp()
  const sourceHash = await store.put(Buffer.alloc(500_000, 'x'))
  const { stream } = await foundIn(readerOf(parser).whole({ sourceHash, size: 500_000 }))
  await parser.close()
  expect(await bytesOf(stream)).toHaveLength(500_000)
})

test('downloads wait for room, and get it from whoever is done, gone, empty-handed or failed', async () => {
  const { parser, store } = setUp()
  const sourceHash = await store.put(Buffer.alloc(600_000, 'x'))
  const source = { sourceHash, size: 600_000, attachments: [] }
  const whole = vi.fn<MimeParserPool['whole']>((...asked) => parser.whole(...asked))
  const reader = readerOf({ ...parser, whole })
  const first = await foundIn(reader.whole(source))
  const second = foundIn(reader.whole(source))
  await parser.bodies(source)
  expect(whole).toHaveBeenCalledTimes(1)
  const gone = reader.whole(source, AbortSignal.abort(new Error('Gone.')))
  await bytesOf(first.stream)
  await (await second).stream.cancel()
  await expect(gone).rejects.toThrow('Gone.')
  expect(whole).toHaveBeenCalledTimes(2)
  expect(await reader.attachment(source, 5)).toEqual({ found: undefined })
  expect(await reader.whole({ ...source, size: 700_000 })).toBe('header_only')
  expect(await reader.whole({ sourceHash: 'ab'.repeat(32), size: 900_000 })).toBe('missing')
  const failing = readerOf({ ...parser, attachment: unused })
  await expect(failing.attachment(source, 0)).rejects.toThrow('Not asked for.')
  expect(await bytesOf((await foundIn(failing.whole(source))).stream)).toHaveLength(600_000)
})

test('what the disk refuses lies elsewhere, within bounds of its own', async () => {
  const { parser, store } = setUp()
  const sourceHash = await store.put(Buffer.alloc(400_000, 'x'))
  const source = { sourceHash, size: 400_000 }
  const places: string[] = []
  const reader = readerOf({
    whole: async (asked, place) => {
      places.push(place)
      return place === 'beside' ? 'refused' : parser.whole(asked, place)
    },
  })
  const first = await foundIn(reader.whole(source))
  const second = foundIn(reader.whole(source))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(places).toEqual(['beside', 'elsewhere', 'beside'])
  expect(await bytesOf(first.stream)).toHaveLength(400_000)
  expect(await bytesOf((await second).stream)).toHaveLength(400_000)
  const nowhere = readerOf({ whole: async () => 'refused' })
  for (let time = 0; time < 3; time += 1)
    await expect(nowhere.whole(source)).rejects.toThrow('No disk takes')
})

test('large sources are parsed one at a time, and small ones do not wait for them', async () => {
  const running: number[] = []
  let mostAtOnce = 0
  const gate = Promise.withResolvers<void>()
  const reader = readerOf(
    {
      bodies: async ({ size }) => {
        running.push(size)
        mostAtOnce = Math.max(mostAtOnce, running.filter((other) => other > 10).length)
        if (size > 10) await gate.promise
        running.splice(running.indexOf(size), 1)
        return { found: { text: String(size) } }
      },
    },
    { largeBytes: 10 },
  )
  const large = Array.from({ length: 5 }, (_, at) =>
    reader.bodies({ sourceHash: `${at}`, size: 100 + at }),
  )
  expect(await reader.bodies({ sourceHash: 'small', size: 1 })).toEqual({ found: { text: '1' } })
  gate.resolve()
  expect(await Promise.all(large)).toHaveLength(5)
  expect(mostAtOnce).toBe(1)
})
