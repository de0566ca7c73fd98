import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { PROGRAM, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const FULL_DEVICE = '/dev/full'

/** Runs the command line with standard output on a disk without room. */
async function svcOnFullDevice(args: readonly string[], env: Record<string, string>) {
  const full = openSync(FULL_DEVICE, 'w')
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env,
    stdio: ['ignore', full, 'pipe'],
  })
  closeSync(full)
  const errors = child.stderr ? text(child.stderr) : ''
  const [stderr, [code]] = await Promise.all([errors, once(child, 'exit')])
  return { code: code as number | null, stderr }
}

function emptyService() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  return { SVC_DATA_DIR: directory.path }
}

test
  .skipIf(!existsSync(FULL_DEVICE))
  .each([
    { args: ['openapi'] },
    { args: ['token', 'create', '--label', 'full'] },
    { args: ['--help'] },
  ])('$args fails when its output cannot be written', async ({ args }) => {
  const { code, stderr } = await svcOnFullDevice(args, emptyService())
  expect(code).toBe(1)
  expect(stderr.match(/^svc: .*/gm)).toEqual([
    expect.stringMatching(/^svc: The output could not be written: ENOSPC/),
  ])
})

test('a reader that has seen enough is no failure', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'openapi'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('--json may stand before the command, with one dash too', async () => {
  const env = emptyService()
  for (const args of [
    ['--json', 'token', 'list'],
    ['-json', 'token', 'list'],
    ['token', '--json', 'list'],
  ])
    expect(await svc(args, { env })).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
})

test.each([
  { args: ['token', 'create', '--label', ''] },
  { args: ['token', 'create', '--label', 'x', '--expires', '2020-01-01'] },
  { args: ['account', 'add', '--email', 'x', '--imap-host', 'i', '--smtp-host', 's'] },
])('$args is wrong usage', async ({ args }) => {
  const result = await svc(args, { env: { ...emptyService(), SVC_PASSWORD: 'secret' } })
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr.trimEnd()).toMatch(/^svc: [^\n]+$/)
})
