import { fstatSync, readdirSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSpoolFile } from '../../../runtime/node/spool-file.ts'
import { spooledDownload } from '../../../runtime/node/spooled-download.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const SIZE = 200_000

/** A download of a file of `bytes` bytes, of which `size` are promised. */
async function setUp(options: { bytes?: number; size?: number; stallMs?: number } = {}) {
  const { bytes = SIZE, size = bytes, stallMs = 60_000 } = options
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const file = await openSpoolFile(directory.path)
  await file.writeFile(Buffer.alloc(bytes, 'x'))
  const onEnd = vi.fn<() => void>()
  const { fd } = file
  const isOpen = () => {
    try {
      return fstatSync(fd).nlink === 0 && fstatSync(fd).size === bytes
    } catch {
      return false
    }
  }
  const download = spooledDownload(file, { size, stallMs, onEnd })
  return { download, onEnd, isOpen, left: () => readdirSync(directory.path) }
}

test('all bytes are handed out in small pieces, then nothing is held any more', async () => {
  const { download, onEnd, isOpen, left } = await setUp()
  expect(left()).toEqual([])
  const sizes: number[] = []
  for await (const chunk of download.stream) {
    expect(onEnd).not.toHaveBeenCalled()
    sizes.push(chunk.length)
  }
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(SIZE)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024)
  expect(onEnd).toHaveBeenCalledTimes(1)
  expect(isOpen()).toBe(false)
})

test('nothing is read before somebody asks, and no bytes end at once', async () => {
  const { download, isOpen } = await setUp({ bytes: 0 })
  expect(isOpen()).toBe(true)
  expect((await download.stream.getReader().read()).done).toBe(true)
  expect(isOpen()).toBe(false)
})

test('who goes away gives everything back, also in the middle of a read', async () => {
  for (const reads of [0, 1, 2]) {
    const { download, onEnd, isOpen } = await setUp()
    const reader = download.stream.getReader()
    const reading = Array.from({ length: reads }, () => reader.read())
    await reader.cancel()
    await Promise.all(reading)
    expect(onEnd).toHaveBeenCalledTimes(1)
    expect(isOpen()).toBe(false)
  }
})

test('who does not read on is given up', async () => {
  const { download, onEnd, isOpen } = await setUp({ stallMs: 30 })
  const reader = download.stream.getReader()
  await reader.read()
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledTimes(1))
  expect(isOpen()).toBe(false)
  await expect(reader.read()).rejects.toThrow('Nobody read on.')
})

test('a file that is shorter than promised is an error, not a short answer', async () => {
  const { download, onEnd, isOpen } = await setUp({ bytes: 10, size: 20 })
  const reader = download.stream.getReader()
  expect((await reader.read()).value).toHaveLength(10)
  await expect(reader.read()).rejects.toThrow('too early')
  expect(onEnd).toHaveBeenCalledTimes(1)
  expect(isOpen()).toBe(false)
})
