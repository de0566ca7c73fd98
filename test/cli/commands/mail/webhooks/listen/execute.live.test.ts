import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { execute } from '../../../../../../cli/commands/mail/webhooks/listen/execute.ts'
import { forward } from '../../../../../../cli/commands/mail/webhooks/listen/forward.ts'
import { isRunning } from '../../../../../bench/processes.ts'
import { eventually } from '../../../../../support/eventually.ts'
import { httpServer } from '../../../../../support/http-server.ts'
import { temporaryDirectory } from '../../../../../support/temporary-directory.ts'

const EVENT = {
  type: 'event',
  event: 'sync.error',
  id: 1,
  payload: { id: 'evt_1', created_at: '', data: {} },
} as const
const TIMING = { reconnectMs: 1, connectMs: 1, silenceMs: 1, forwardMs: 200, commandMs: 400 }
const { signal } = new AbortController()

test('a command that takes too long is killed with its children, those that ignore signals too', async () => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const file = join(directory.path, 'pid')
  const command = `sh -c 'trap "" TERM INT HUP; echo $$ >"${file}"; sleep 1000' & wait`
  const running = execute(EVENT, command, { url: 'http://x', timing: TIMING, signal })
  const pid = await eventually(async () => {
    expect(existsSync(file)).toBe(true)
    return Number(readFileSync(file, 'utf8'))
  })
  expect(await running).toMatchObject({ signal: 'SIGKILL', error: 'It was killed after 0.4 s.' })
  await eventually(async () => expect(isRunning(pid)).toBe(false))
})

test('what a command leaves in the background stays, as from any shell', async () => {
  const running = execute(EVENT, 'sleep 0.2 & exit 7', { url: 'http://x', timing: TIMING, signal })
  expect(await running).toMatchObject({ exit_code: 7 })
})

test('a receiver that never answers has its time', async () => {
  const url = await httpServer(() => undefined)
  const options = { timing: TIMING, signal }
  expect(await forward(EVENT, { url, secret: 'whsec_x' }, options)).toMatchObject({
    error: 'No reply within 0.2 s.',
  })
})
