import type { FileHandle } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { fillSpoolFile } from '../../../runtime/node/spool-file.ts'
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
  const { file, filled } = await fillSpoolFile(path, filling(0).fill)
  onTestFinished(() => file.close())
  expect(filled).toBe(1)
  expect(readdirSync(path)).toEqual([])
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
  expect(buffer.subarray(0, bytesRead).toString()).toBe('mail')
})

test('they lie elsewhere where the disk is full, and the first file is closed', async () => {
  const { files, fill } = filling(1)
  const { file, filled } = await fillSpoolFile(directory(), fill)
  onTestFinished(() => file.close())
  expect(filled).toBe(2)
  expect(files[0]?.fd).toBe(-1)
})

test('a disk that refuses everywhere is told in plain words; what else fails is thrown as it is', async () => {
  await expect(fillSpoolFile(directory(), filling(9).fill)).rejects.toThrow('The disk is full.')
  const failing = () => Promise.reject(new Error('no such source'))
  await expect(fillSpoolFile(directory(), failing)).rejects.toThrow('no such source')
})
