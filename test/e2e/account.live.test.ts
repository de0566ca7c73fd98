import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { startLabDovecot, type LabDovecot } from '../lab/dovecot.ts'
import { startLabSmtp, type LabSmtp, type SmtpOptions } from '../lab/smtp.ts'
import { eventually } from '../support/eventually.ts'
import { PROGRAM, startService, svc, type RunningSvc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const PASSWORD = 'correct-horse-battery-staple'

let dovecot: LabDovecot
let user: DovecotUser

beforeAll(async () => {
  dovecot = await startLabDovecot()
  user = await dovecot.addUser({ password: PASSWORD })
})
afterAll(() => dovecot.stop())

async function startSmtp(options: SmtpOptions = {}): Promise<LabSmtp> {
  const smtp = await startLabSmtp({ users: { [user.user]: PASSWORD }, ...options })
  onTestFinished(() => smtp.stop())
  return smtp
}

function environment() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  return { SVC_DATA_DIR: join(directory.path, 'data') }
}

const serverOptions = (smtp: LabSmtp, overrides: Readonly<Record<string, string>> = {}) =>
  Object.entries({
    '--email': user.email,
    '--imap-host': dovecot.host,
    '--imap-port': String(dovecot.imapPort),
    '--imap-tls': 'none',
    '--imap-user': user.user,
    '--smtp-host': smtp.host,
    '--smtp-port': String(smtp.port),
    '--smtp-tls': 'none',
    ...overrides,
  }).flat()

const add = (smtp: LabSmtp, env: Record<string, string>, ...more: string[]) =>
  svc(['account', 'add', ...serverOptions(smtp), '--password-stdin', ...more], {
    env,
    input: `${PASSWORD}\n`,
  })

const listed = async (env: Record<string, string>) =>
  JSON.parse((await svc(['account', 'list', '--json'], { env })).stdout) as {
    name: string
    imap: object
  }[]

test('an account is added, listed, tested, changed and removed', async () => {
  const env = environment()
  const smtp = await startSmtp()
  expect(await add(smtp, env, '--name', 'Ada')).toEqual({
    code: 0,
    stdout: 'Added account Ada (id 1).\n',
    stderr: 'IMAP: ok\nSMTP: ok\n',
  })
  expect(await listed(env)).toMatchObject([
    {
      id: 1,
      name: 'Ada',
      email: user.email,
      imap: { host: dovecot.host, port: dovecot.imapPort, tls: 'none', user: user.user },
      smtp: { host: smtp.host, port: smtp.port, tls: 'none', user: user.user },
      state: 'syncing',
    },
  ])
  const tested = await svc(['account', 'test', 'ada'], { env })
  expect(tested).toEqual({ code: 0, stdout: 'IMAP: ok\nSMTP: ok\n', stderr: '' })
  const renamed = await svc(['account', 'set', 'ADA', '-name', 'Work'], { env })
  expect(renamed).toEqual({ code: 0, stdout: 'Changed account Work (id 1).\n', stderr: '' })
  const unasked = await svc(['account', 'remove', 'work'], { env })
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  const removed = await svc(['account', 'remove', 'work', '--yes'], { env })
  expect(removed.stdout).toBe('Removed account Work with its settings and 0 messages.\n')
  expect(await listed(env)).toEqual([])
})

test('TLS works in both ways with a certificate that the system trusts', async () => {
  const smtp = await startSmtp({ tls: 'starttls' })
  const implicit = await startSmtp({ tls: 'implicit' })
  for (const [env, options] of [
    [
      { NODE_EXTRA_CA_CERTS: dovecot.certificate.caFile },
      { '--imap-tls': 'starttls', '--imap-port': String(dovecot.imapPort) },
    ],
    [
      { NODE_EXTRA_CA_CERTS: dovecot.certificate.caFile },
      { '--imap-tls': 'implicit', '--imap-port': String(dovecot.imapsPort) },
    ],
    [{ NODE_EXTRA_CA_CERTS: smtp.caFile }, { '--smtp-tls': 'starttls' }],
    [
      { NODE_EXTRA_CA_CERTS: implicit.caFile },
      { '--smtp-tls': 'implicit', '--smtp-port': String(implicit.port) },
    ],
  ] as const) {
    const args = ['account', 'add', ...serverOptions(smtp, options), '--password-stdin']
    const added = await svc(args, { env: { ...environment(), ...env }, input: PASSWORD })
    expect(added).toMatchObject({ code: 0, stderr: 'IMAP: ok\nSMTP: ok\n' })
  }
})

test('a wrong password: both servers are quoted, and nothing is stored', async () => {
  const env = environment()
  const smtp = await startSmtp()
  const result = await svc(['account', 'add', ...serverOptions(smtp), '--password-stdin'], {
    env,
    input: 'wrong-but-secret\n',
  })
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toBe(
    'IMAP: Authentication failed.\n' +
      'SMTP: 535 Wrong password\n' +
      'svc: The account was not added; --no-test adds it all the same.\n',
  )
  expect(await listed(env)).toEqual([])
})

test('account test reports the two servers apart and fails when one does', async () => {
  const env = environment()
  const smtp = await startSmtp()
  await add(smtp, env)
  smtp.refuse({ auth: { code: 535, text: 'Your mailbox is locked\u0007, call us' } })
  const tested = await svc(['account', 'test', user.email], { env })
  expect(tested).toMatchObject({ code: 1, stderr: '' })
  expect(tested.stdout).toMatch(/^IMAP: ok\nSMTP: 535 Your mailbox is locked ?, call us\n$/)
  const json = await svc(['account', 'test', user.email, '--json'], { env })
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({ imap: { ok: true }, smtp: { ok: false } })
})

interface Refusal {
  readonly what: string
  readonly smtp?: SmtpOptions
  readonly options: Readonly<Record<string, string>>
  readonly words: RegExp
}

const REFUSALS: readonly Refusal[] = [
  {
    what: 'a certificate nobody trusts',
    options: { '--smtp-tls': 'starttls' },
    words: /SMTP: .*certificate/i,
  },
  {
    what: 'no STARTTLS where it is asked for',
    smtp: { tls: 'none' },
    options: { '--smtp-tls': 'starttls' },
    words: /SMTP: The server refuses STARTTLS: 5/,
  },
  {
    what: 'a TLS version of the past',
    smtp: { tls: 'broken' },
    options: { '--smtp-tls': 'starttls' },
    words: /SMTP: .*(TLS|SSL|version|protocol)/i,
  },
  {
    what: 'TLS towards a server that speaks none',
    smtp: { tls: 'none' },
    options: { '--smtp-tls': 'implicit' },
    words: /SMTP: .*(TLS|SSL|version|packet)/i,
  },
  {
    what: 'a host that does not exist',
    options: { '--imap-host': 'no.such.host.invalid' },
    words: /IMAP: .*no\.such\.host\.invalid/,
  },
  {
    what: 'a port where nobody listens',
    options: { '--imap-port': '1' },
    words: /IMAP: .*ECONNREFUSED/,
  },
  {
    what: 'an untrusted IMAP certificate',
    options: { '--imap-tls': 'starttls' },
    words: /IMAP: .*certificate/i,
  },
]

test.each(REFUSALS)(
  '$what is told and nothing is stored',
  async ({ smtp: smtpOptions, options, words }) => {
    const env = environment()
    const smtp = await startSmtp(smtpOptions)
    const args = ['account', 'add', ...serverOptions(smtp, options), '--password-stdin']
    const result = await svc(args, { env, input: PASSWORD })
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(words)
    expect(await listed(env)).toEqual([])
  },
)

test('the password comes from the environment too, and never from the command line', async () => {
  const env = environment()
  const smtp = await startSmtp()
  const args = ['account', 'add', ...serverOptions(smtp)]
  const none = await svc(args, { env })
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('--password-stdin') })
  const option = await svc([...args, '--password', PASSWORD], { env })
  expect(option.code).toBe(2)
  expect(option.stderr).toContain('A password is never an option')
  expect(option.stderr).not.toContain(PASSWORD)
  const given = await svc(args, { env: { ...env, SVC_PASSWORD: PASSWORD } })
  expect(given.code).toBe(0)
})

test('the password is asked for on a terminal and not shown', async () => {
  const env = environment()
  const smtp = await startSmtp()
  const program = [process.execPath, PROGRAM, 'account', 'add', ...serverOptions(smtp)]
  const terminal = spawn('script', ['-qec', program.join(' '), '/dev/null'], {
    env: { PATH: process.env['PATH'], ...env },
  })
  let shown = ''
  terminal.stdout.on('data', (chunk) => (shown += String(chunk)))
  await eventually(async () => expect(shown).toContain('Password: '))
  terminal.stdin.write(`${PASSWORD}\r`)
  const [code] = await once(terminal, 'exit')
  expect({ code, shown }).toEqual({ code: 0, shown: expect.stringContaining('Added account') })
  expect(shown).not.toContain(PASSWORD)
})

test('a password of its own for SMTP is used there alone', async () => {
  const smtp = await startSmtp({ users: { relay: 'another-secret' } })
  const args = ['account', 'add', ...serverOptions(smtp, { '--smtp-user': 'relay' })]
  const added = await svc([...args, '--password-stdin'], {
    env: environment(),
    input: `${PASSWORD}\nanother-secret\n`,
  })
  expect(added).toMatchObject({ code: 0, stderr: 'IMAP: ok\nSMTP: ok\n' })
})

test('a change is tested first; a wrong one changes nothing', async () => {
  const env = environment()
  const smtp = await startSmtp()
  await add(smtp, env)
  const before = await listed(env)
  const wrong = await svc(['account', 'set', user.email, '--imap-port', '1'], { env })
  expect(wrong).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('ECONNREFUSED'),
  })
  const password = await svc(['account', 'set', user.email, '--password-stdin'], {
    env,
    input: 'wrong',
  })
  expect(password).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Authentication failed'),
  })
  const nothing = await svc(['account', 'set', user.email], { env })
  expect(nothing.code).toBe(2)
  expect(await listed(env)).toEqual(before)
  const untested = await svc(['account', 'set', user.email, '--imap-port', '1', '--no-test'], {
    env,
  })
  expect(untested.code).toBe(0)
  expect((await listed(env))[0]?.imap).toMatchObject({ port: 1 })
})

/** Every file below the folder as text. */
function contentsOf(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n')
}

/** The modes of every file below the folder. */
const modesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(directory, name)))
    .map((stat) => stat.mode & (stat.isFile() ? 0o177 : 0o077))

/** The command lines of the service and its sidecar. */
function commandLines({ pid }: RunningSvc): string {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return [String(pid), ...children]
    .map((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8'))
    .join('\n')
}

test('a running service takes up an added account at once, and no secret is left anywhere', async () => {
  const env = environment()
  const smtp = await startSmtp()
  const service = await startService(['serve'], { env: { ...env, SVC_LOG_LEVEL: 'debug' } })
  await eventually(async () => expect(service.stderr()).toContain('"The sidecar runs."'))
  await dovecot.deliver(user, 'Subject: first\r\n\r\nHello.\r\n')
  expect(await add(smtp, env)).toMatchObject({ code: 0 })

  const token = (
    await svc(['token', 'create', '--label', 'test', '--scopes', 'mail:read accounts:read'], {
      env,
    })
  ).stdout.trim()
  const headers = { Authorization: `Bearer ${token}` }
  await eventually(async () => {
    const answer = await fetch(`${service.url}/api/v1/messages`, { headers })
    expect(JSON.stringify(await answer.json())).toContain('first')
  }, 4_000)

  const removed = await svc(['account', 'remove', user.email, '--yes'], { env })
  expect(removed.stdout).toMatch(/and [1-9]\d* messages?\./)
  await add(smtp, env)
  expect(new Set(modesIn(env.SVC_DATA_DIR))).toEqual(new Set([0]))
  const secrets = [PASSWORD, token.slice(-20)]
  const places = [
    contentsOf(env.SVC_DATA_DIR),
    service.stderr(),
    service.stdout(),
    commandLines(service),
  ]
  for (const place of places) for (const secret of secrets) expect(place).not.toContain(secret)
})
