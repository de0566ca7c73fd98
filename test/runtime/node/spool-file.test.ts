import type { FileHandle } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { fillSpoolFile, SPOOL_PLACES } from '../../../runtime/node/spool-file.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const full = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })

function directory(): string {
  const made = temporaryDirectory()
  onTestFinished(() => made[Symbol.dispose]())
  return made.path
}

/** Fills the files but for the first `refusals` of them, and keeps them. */
function filling(refusals: number) {
  const files: FileHandle[] = []
  const fill = async (file: FileHandle) => {
    files.push(file)
    if (files.length <= refusals) throw full()
    await file.writeFile('mail')
    return files.length
  }
  return { files, fill }
}

test('bytes lie in a file without a name', async () => {
  const path = directory()
  const { file, filled } = await fillSpoolFile(
    { directory: path, place: 'beside' },
    filling(0).fill,
  )
  onTestFinished(() => file.close())
  expect(filled).toBe(1)
  expect(readdirSync(path)).toEqual([])
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
  expect(buffer.subarray(0, bytesRead).toString()).toBe('mail')
})

test('elsewhere, they lie on the first disk that takes them, and the others are closed', async () => {
  const { files, fill } = filling(1)
  const path = directory()
  const { file, filled } = await fillSpoolFile({ directory: path, place: 'elsewhere' }, fill)
  onTestFinished(() => file.close())
  expect(filled).toBe(2)
  expect(files[0]?.fd).toBe(-1)
})

test('a disk that refuses everywhere is told in plain words; what else fails is thrown as it is', async () => {
  for (const place of SPOOL_PLACES)
    await expect(fillSpoolFile({ directory: directory(), place }, filling(9).fill)).rejects.toThrow(
      'The disk is full.',
    )
  const failing = () => Promise.reject(new Error('no such source'))
  await expect(fillSpoolFile({ directory: directory(), place: 'beside' }, failing)).rejects.toThrow(
    'no such source',
  )
})
