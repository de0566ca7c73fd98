import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'

import { DovecotMissingError } from '../../cli/commands/local/demo/dovecot-programs.ts'
import { DovecotStartError, startDovecot } from '../../cli/commands/local/demo/dovecot.ts'

const STARTER = fileURLToPath(new URL('dovecot-holder.ts', import.meta.url))

interface Held {
  readonly pid: number
  readonly maildir: string
}

/** Processes of the group that are not merely waiting to be reaped. */
function groupMembers(pgid: number): readonly string[] {
  return execFileSync('ps', ['-eo', 'pgid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => Number.parseInt(line, 10) === pgid && !/^\s*\d+\s+Z/.test(line))
}

async function untilGone({ pid, maildir }: Held): Promise<void> {
  for (let waitedMs = 0; waitedMs < 5_000; waitedMs += 50) {
    if (groupMembers(pid).length === 0 && !existsSync(maildir)) return
    await sleep(50)
  }
}

/** A process of its own that starts a Dovecot, opens an IMAP session on it and waits. */
async function hold(): Promise<{ child: ReturnType<typeof spawn>; held: Held }> {
  const child = spawn(process.execPath, [STARTER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, held: JSON.parse(line.toString()) as Held }
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'when the process that started it ends by %s, nothing is left running or on disk',
  async (signal) => {
    const { child, held } = await hold()
    expect(groupMembers(held.pid).some((line) => line.includes('imap'))).toBe(true)
    child.kill(signal)
    await once(child, 'exit')
    await untilGone(held)
    expect(groupMembers(held.pid)).toEqual([])
    expect(existsSync(dirname(dirname(dirname(held.maildir))))).toBe(false)
  },
)

test('stopping ends all processes and removes the folder, also with a client connected', async () => {
  const dovecot = await startDovecot()
  const { user, password, maildir } = await dovecot.addUser()
  const client = connect(dovecot.imapPort, dovecot.host)
  client.write(`a LOGIN ${user} ${password}\r\nb IDLE\r\n`)
  await vi.waitUntil(async () => (await dovecot.log()).includes(`Login: user=<${user}>`))
  const closed = once(client, 'close')
  client.resume()
  await dovecot.stop()
  await dovecot.stop()
  expect(groupMembers(dovecot.pid)).toEqual([])
  await closed
  expect(existsSync(maildir)).toBe(false)
})

test('a start that fails leaves no folder behind and says what was logged', async () => {
  const path = mkdtempSync(join(tmpdir(), 'svc-path-'))
  writeFileSync(join(path, 'dovecot'), '#!/bin/sh\necho "Fatal: wrong setting" >&2\nexit 89\n', {
    mode: 0o755,
  })
  const temporary = mkdtempSync(join(tmpdir(), 'svc-temporary-'))
  vi.stubEnv('PATH', `${path}:${process.env['PATH']}`)
  vi.stubEnv('TMPDIR', temporary)
  const error = await startDovecot().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DovecotStartError)
  expect(String(error)).toMatch(/did not start[^]*Fatal: wrong setting/)
  expect(readdirSync(temporary)).toEqual([])
  vi.unstubAllEnvs()
  for (const folder of [path, temporary]) rmSync(folder, { recursive: true })
})

test('missing programs are named, with the command that installs them', () => {
  const error = new DovecotMissingError(['dovecot imap', 'openssl'])
  expect(error.message).toContain('dovecot imap, openssl')
  expect(error.message).toContain('apt-get install dovecot-imapd dovecot-lmtpd')
})
