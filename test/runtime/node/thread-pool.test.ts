import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { ThreadPool } from '../../../runtime/node/thread-pool.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const PROGRAM = `
import { parentPort, threadId } from 'node:worker_threads'
parentPort.on('message', () => parentPort.postMessage(threadId))
`

test('a thread that nobody needs is ended, and the next request has another', async () => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const program = join(directory.path, 'thread.mjs')
  writeFileSync(program, PROGRAM)
  const pool = new ThreadPool<string, number>({
    size: 2,
    timeoutMs: 5_000,
    idleMs: 300,
    threadUrl: pathToFileURL(program),
  })
  onTestFinished(() => pool.close())
  const threadOf = async () => {
    const outcome = await pool.run('who are you?')
    return outcome === 'failed' ? undefined : outcome.result
  }
  const first = await threadOf()
  await sleep(100)
  expect(await threadOf()).toBe(first)
  await sleep(600)
  const second = await threadOf()
  expect(second).toBeGreaterThan(first ?? 0)
})
