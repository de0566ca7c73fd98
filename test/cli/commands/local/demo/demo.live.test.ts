import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

import { eventually } from '../../../../support/eventually.ts'
import { svc } from '../../../../support/svc.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

const PROGRAM = join(import.meta.dirname, '../../../../../cli/main.ts')
const STARTS_WITHIN_MS = 30_000
const ENDS_WITHIN_MS = 10_000

interface Demo {
  readonly process: ReturnType<typeof spawn>
  /** Both streams so far. */
  output(): string
  readonly ended: Promise<number | null>
  /** What the demo has put into its folder for temporary files. */
  files(): readonly string[]
}

/** Starts the demo in a process group of its own, with a folder for temporary files of its own. */
function startDemo(args: readonly string[], env: Readonly<Record<string, string>> = {}): Demo {
  const temporary = temporaryDirectory()
  // The mail server's processes run as users of their own.
  chmodSync(temporary.path, 0o711)
  const child = spawn(process.execPath, [PROGRAM, 'demo', ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], SVC_PORT: '0', ...env, TMPDIR: temporary.path },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
    temporary[Symbol.dispose]()
  })
  return {
    process: child,
    output: () => output,
    ended,
    files: () => readdirSync(temporary.path),
  }
}

const untilPrinted = (demo: Demo, text: string) =>
  eventually(async () => expect(demo.output()).toContain(text), STARTS_WITHIN_MS)

interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly line: string
}

/** All processes that are not merely waiting to be reaped. */
function processes(): readonly Process[] {
  return execFileSync('ps', ['-eo', 'pid=,ppid=,pgid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => ({ line, fields: line.trim().split(/\s+/) }))
    .filter(({ fields }) => fields.length > 4 && !fields[3]?.startsWith('Z'))
    .map(({ line, fields: [pid, parent, group] }) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      line,
    }))
}

/** The process groups of a demo and of everything that it started. */
function groupsOf(demo: Demo): ReadonlySet<number> {
  const all = processes()
  const family = new Set([demo.process.pid])
  for (let size = 0; size < family.size;) {
    size = family.size
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid)
  }
  return new Set(all.filter(({ pid }) => family.has(pid)).map(({ group }) => group))
}

const membersOf = (groups: ReadonlySet<number>) =>
  processes()
    .filter(({ group }) => groups.has(group))
    .map(({ line }) => line)

/** Runs a printed line as a person would paste it. */
async function paste(line: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line])
  return stdout
}

const statusOf = (line: string) =>
  paste(`${line.replace(/ \| .*/, '')} -o /dev/null -w '%{http_code}'`)

test('the demo answers its own six curl lines, receives new mail and ends without a trace', async () => {
  using elsewhere = temporaryDirectory()
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const demo = startDemo(['--every', '1'], {
    SVC_PORT: String(port),
    SVC_DATA_DIR: join(elsewhere.path, 'data'),
    SVC_DATABASE_URL: `file:${join(elsewhere.path, 'mine.db')}`,
  })
  await untilPrinted(demo, 'Ctrl+C ends')
  expect(demo.output()).toContain(`Port ${port} is in use by another program; the demo takes `)

  const lines = demo.output().match(/^curl .*$/gm) ?? []
  expect(lines).toHaveLength(6)
  for (const line of lines) expect(await statusOf(line)).toBe('200')
  const [health = '', accounts = '', subjects = '', message = '', star = '', changes = ''] = lines
  const count = Number(/(\d+) messages, is synced/.exec(demo.output())?.[1])
  expect(count).toBeGreaterThan(200)

  expect(JSON.parse(await paste(health))).toEqual({ ok: true, accounts: 1 })
  const { data } = JSON.parse(await paste(accounts)) as { data: { messages: number }[] }
  expect(data).toMatchObject([{ email: 'maya@lindqvist-roth.example', state: 'ok' }])
  expect(data[0]?.messages).toBeGreaterThanOrEqual(count)
  expect(await paste(subjects)).toMatch(/^("subject":".+"\n){5}$/)
  expect(JSON.parse(await paste(message))).toMatchObject({ body: { text: expect.any(String) } })
  const starred = { starred: true, labels: expect.arrayContaining(['demo']) }
  expect(JSON.parse(await paste(star))).toMatchObject(starred)

  await untilPrinted(demo, 'new mail: The ash chairs')
  await eventually(async () => expect(await paste(subjects)).toContain('The ash chairs'), 25_000)
  expect(JSON.parse(await paste(changes))).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ kind: 'message' })]),
  })

  const groups = groupsOf(demo)
  expect(groups.size).toBeGreaterThan(1)
  const askedAtMs = performance.now()
  demo.process.kill('SIGTERM')
  expect(await demo.ended).toBe(0)
  expect(performance.now() - askedAtMs).toBeLessThan(ENDS_WITHIN_MS)
  expect(membersOf(groups)).toEqual([])
  expect(demo.files()).toEqual([])
  expect(existsSync(join(elsewhere.path, 'data'))).toBe(false)
  expect(readdirSync(elsewhere.path)).toEqual([])
  expect(demo.output()).not.toContain('"level"')
})

test.each(['throw-away mail server', 'svc answers at', 'Ctrl+C ends'])(
  'an interrupt from the keyboard after "%s" ends it all',
  async (printed) => {
    const demo = startDemo([])
    await untilPrinted(demo, printed)
    const groups = groupsOf(demo)
    // The terminal interrupts the whole foreground group.
    process.kill(-(demo.process.pid ?? 0), 'SIGINT')
    expect(await demo.ended).toBe(130)
    expect(membersOf(groups)).toEqual([])
    expect(demo.files()).toEqual([])
  },
)

test.each(['svc answers at', 'Ctrl+C ends'])(
  'killed hard after "%s" it leaves no process and no file behind either',
  async (printed) => {
    const demo = startDemo([])
    await untilPrinted(demo, printed)
    const groups = groupsOf(demo)
    demo.process.kill('SIGKILL')
    await demo.ended
    await eventually(async () => {
      expect(membersOf(groups)).toEqual([])
      expect(demo.files()).toEqual([])
    }, 20_000)
  },
)

test('where its programs are not installed it says so in one line and how to get them', async () => {
  using empty = temporaryDirectory()
  const { code, stdout, stderr } = await svc(['demo'], { env: { PATH: empty.path } })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(
    /^svc: .*Not found: openssl\. On Debian: apt-get install dovecot-imapd .*\n$/,
  )
})

test('an interval that is none is refused', async () => {
  expect(await svc(['demo', '--every', '0'])).toMatchObject({ code: 2, stdout: '' })
})
