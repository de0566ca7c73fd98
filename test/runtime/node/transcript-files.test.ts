import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { transcriptFiles } from '../../../runtime/node/transcript-files.ts'
import { fakeClock } from '../../support/fake-clock.ts'

function context(fileBytesMax?: number) {
  const root = mkdtempSync(join(tmpdir(), 'transcripts-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const directory = join(root, 'transcripts')
  const clock = fakeClock()
  const transcripts = transcriptFiles(directory, clock, fileBytesMax)
  const file = (name: string) => join(directory, name)
  const read = (name: string) => readFileSync(file(name), 'utf8')
  return { root, directory, clock, transcripts, file, read }
}

const line = (text: string, from: 'client' | 'server' = 'server') => ({
  connection: 'c1',
  from,
  text,
})

test('each line has its time, its connection and its direction, and is there at once', () => {
  const { transcripts, clock, read } = context()
  const write = transcripts.of(7)
  write(line('1 NOOP', 'client'))
  write(line('1 OK'))
  const at = clock.now().toISOString()
  expect(read('7.log')).toBe(`${at} c1 > 1 NOOP\n${at} c1 < 1 OK\n`)
})

test('only the owner can read transcripts', () => {
  const { transcripts, directory, file } = context()
  transcripts.of(7)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  expect(statSync(file('7.log')).mode & 0o777).toBe(0o600)
})

test('a later connection goes on where the one before it ended', () => {
  const { transcripts, read } = context()
  transcripts.of(7)(line('first'))
  transcripts.of(7)(line('second'))
  expect(read('7.log')).toMatch(/first\n.*second\n$/)
})

test('a full file is kept beside the new one, and one before that is not', () => {
  const { transcripts, read, file } = context(200)
  const write = transcripts.of(7)
  for (let n = 100; n < 120; n += 1) write(line(`line ${n}`))
  expect(read('7.log')).toContain('line 119')
  expect(read('7.log') + read('7.1.log')).not.toContain('line 100')
  expect(statSync(file('7.log')).size).toBeLessThanOrEqual(200)
  expect(statSync(file('7.1.log')).size).toBeLessThanOrEqual(200)
})

test('control characters of a server reach no terminal', () => {
  const { transcripts, read } = context()
  transcripts.of(7)(line('* OK \u001B[2Jgone\r\nnext'))
  expect(read('7.log').match(/\p{Cc}/gu)).toEqual(['\n'])
})

test('a removed transcript stays removed, though its connection still says something', async () => {
  const { transcripts, file } = context(100)
  const write = transcripts.of(7)
  for (let n = 0; n < 5; n += 1) write(line(`line ${n}`))
  await transcripts.remove(7)
  write(line('BYE'))
  expect(existsSync(file('7.log'))).toBe(false)
  expect(existsSync(file('7.1.log'))).toBe(false)
  await transcripts.remove(7)
})

test('a place that cannot be written to fails nobody', () => {
  const { transcripts, directory } = context()
  writeFileSync(directory, 'in the way')
  const write = transcripts.of(7)
  expect(() => write(line('lost'))).not.toThrow()
})
