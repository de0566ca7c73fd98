import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { oauthGrants } from '../../db/schema/oauth-grants.ts'
import { getAccountSettings } from '../../domain/accounts/list-settings.ts'
import { openFileStore } from '../../runtime/node/file-store.ts'
import { startLabDovecot, type LabDovecot } from '../lab/dovecot.ts'
import { LabOAuthProvider } from '../lab/oauth-provider.ts'
import { startLabSmtp, type LabSmtp } from '../lab/smtp.ts'
import { eventually } from '../support/eventually.ts'
import { startService, startSvc, svc, type RunningSvc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

let provider: LabOAuthProvider
let dovecot: LabDovecot
let smtp: LabSmtp
let user: DovecotUser

beforeAll(async () => {
  provider = await LabOAuthProvider.start()
  dovecot = await startLabDovecot({ introspectionUrl: provider.introspectionUrl })
  smtp = await startLabSmtp({ isGoodToken: provider.isGoodToken })
})
afterAll(async () => {
  await smtp.stop()
  await dovecot.stop()
  provider.stop()
})
beforeEach(async () => {
  user = await dovecot.addUser()
  provider.signedIn = user.email
  provider.sendsIdTokens = false
  provider.expiresInS = 3_600
  provider.scripted = undefined
  provider.tokenRequests.length = 0
})

type Environment = Readonly<Record<string, string>>

function environment(name: 'GOOGLE' | 'MICROSOFT'): Environment & { SVC_DATA_DIR: string } {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  return { ...provider.environment(name), SVC_DATA_DIR: join(directory.path, 'data') }
}

const addOptions = () =>
  Object.entries({
    '--email': user.email,
    '--name': 'Ada',
    '--imap-host': dovecot.host,
    '--imap-port': String(dovecot.imapPort),
    '--imap-tls': 'none',
    '--smtp-host': smtp.host,
    '--smtp-port': String(smtp.port),
    '--smtp-tls': 'none',
  }).flat()

/** What the command has said once it says `pattern`. */
const said = (command: RunningSvc, pattern: RegExp) =>
  eventually(async () => {
    const [, found] = pattern.exec(command.stderr()) ?? []
    if (found === undefined) throw new Error(`It said: ${command.stderr()}`)
    return found
  })

const outcome = async (command: RunningSvc) => ({
  code: await command.ended,
  stdout: command.stdout(),
  stderr: command.stderr(),
})

/** Runs a command to its end; a browser opens the address that it shows. */
async function byBrowser(args: readonly string[], env: Environment) {
  const command = startSvc(args, { env })
  const page = await fetch(await said(command, /^Open (\S+)$/m))
  expect(await page.text()).toContain('close this page')
  return outcome(command)
}

/** Runs a command to its end; somebody enters the code that it shows. */
async function byDeviceCode(args: readonly string[], env: Environment) {
  const command = startSvc([...args, '--device'], { env })
  const code = await said(command, /on any device and enter (\S+)$/m)
  provider.enterCode(code, { mailbox: provider.signedIn })
  return outcome(command)
}

const add = (env: Environment) =>
  byDeviceCode(['account', 'add', ...addOptions(), '--oauth', 'microsoft'], env)

async function withStore<T>(
  env: { readonly SVC_DATA_DIR: string },
  work: (store: ReturnType<typeof openFileStore>) => Promise<T>,
): Promise<T> {
  const store = openFileStore(`file:${join(env.SVC_DATA_DIR, 'svc.db')}`)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const account = (env: { readonly SVC_DATA_DIR: string }) =>
  withStore(env, (store) => getAccountSettings({ store }, 1))
const grants = (env: { readonly SVC_DATA_DIR: string }) =>
  withStore(env, (store) => store.read.select().from(oauthGrants))

const eventuallyIs = (env: { readonly SVC_DATA_DIR: string }, expected: object) =>
  eventually(async () => expect(await account(env)).toMatchObject(expected), 20_000)

/** Nothing that the provider gave out is in what was printed or is on disk. */
function expectNoSecretIn(env: { readonly SVC_DATA_DIR: string }, ...printed: readonly string[]) {
  const files = readdirSync(env.SVC_DATA_DIR, { recursive: true, encoding: 'utf8' })
    .map((name) => join(env.SVC_DATA_DIR, name))
    .filter((path) => statSync(path).isFile())
  expect(files.some((path) => path.endsWith('svc.db'))).toBe(true)
  const everything = [...printed, ...files.map((path) => readFileSync(path, 'latin1'))].join('\n')
  expect(provider.secrets.length).toBeGreaterThan(2)
  const decoded = everything
    .match(/[A-Za-z0-9+/_-]{40,}/g)
    ?.map((text) => Buffer.from(text, 'base64').toString('latin1'))
    .join('\n')
  for (const secret of [...provider.secrets, provider.client.secret]) {
    expect(everything.includes(secret)).toBe(false)
    expect(decoded?.includes(secret)).toBe(false)
  }
}

test('by device code: an account is added without a password, listed, tested and synced', async () => {
  const env = environment('MICROSOFT')
  await dovecot.deliver(user, 'Subject: Behind the token\r\n\r\nHello.\r\n')
  const added = await add(env)
  expect(added).toMatchObject({ code: 0, stdout: 'Added account Ada (id 1).\n' })
  expect(added.stderr).toMatch(/IMAP: ok\nSMTP: ok\n$/)
  expect(provider.tokenRequests.at(-1)).toContain('device_code')
  expect(await account(env)).toMatchObject({ oauth: 'microsoft', imap: { user: user.email } })
  const listed = await svc(['account', 'list'], { env })
  expect(listed.stdout).toMatch(/LOGIN[^]*microsoft/)
  const tested = await svc(['account', 'test', 'ada'], { env })
  expect(tested).toEqual({ code: 0, stdout: 'IMAP: ok\nSMTP: ok\n', stderr: '' })

  await svc(['account', 'set', 'Ada', '--transcript', 'on'], { env })
  const service = await startService(['serve'], { env: { ...env, SVC_LOG_LEVEL: 'debug' } })
  await eventuallyIs(env, { state: 'ok' })
  const token = (await svc(['token', 'create', '--label', 't'], { env })).stdout.trim()
  const answer = await fetch(`${service.url}/api/v1/messages`, {
    headers: { authorization: `Bearer ${/svc_pat_\w+/.exec(token)?.[0]}` },
  })
  expect(await answer.text()).toContain('Behind the token')
  expect(readdirSync(join(env.SVC_DATA_DIR, 'transcripts'))).not.toEqual([])
  expectNoSecretIn(env, added.stderr, service.stdout(), service.stderr())
})

test('by browser: the answer to the state is taken, any other is not, and nothing secret shows', async () => {
  const env = environment('GOOGLE')
  const command = startSvc(['account', 'add', ...addOptions(), '--oauth', 'google'], { env })
  const url = new URL(await said(command, /^Open (\S+)$/m))
  const redirectUri = url.searchParams.get('redirect_uri') ?? ''
  for (const forged of ['/?code=x', '/?code=x&state=y', '/favicon.ico'])
    expect((await fetch(redirectUri + forged)).status).toBe(404)
  expect((await fetch(url)).status).toBe(200)
  const added = await outcome(command)
  expect(added).toMatchObject({ code: 0, stdout: 'Added account Ada (id 1).\n' })
  expect(provider.tokenRequests).toEqual(['authorization_code'])
  expect(await account(env)).toMatchObject({ oauth: 'google' })
  expectNoSecretIn(env, added.stderr)
})

test('a token that has ended is renewed once for the sync and four commands at a time', async () => {
  const env = environment('MICROSOFT')
  provider.expiresInS = 1
  await add(env)
  provider.tokenRequests.length = 0
  provider.expiresInS = 3_600
  provider.delayMs = 1_000
  onTestFinished(() => {
    provider.delayMs = 0
  })
  await startService(['serve'], { env })
  const tests = Array.from({ length: 4 }, () => svc(['account', 'test', 'Ada'], { env }))
  for (const { code } of await Promise.all(tests)) expect(code).toBe(0)
  await eventuallyIs(env, { state: 'ok' })
  expect(provider.tokenRequests).toEqual(['refresh_token'])
})

test('a failing token endpoint is the account’s error, in its own words, and goes by itself', async () => {
  const env = environment('MICROSOFT')
  provider.expiresInS = 1
  await add(env)
  provider.expiresInS = 3_600
  provider.scripted = { status: 500, body: '{"error":"server_error"}' }
  const service = await startService(['serve'], { env })
  const error = 'The token endpoint of Microsoft failed: it answered 500 (server_error)'
  await eventuallyIs(env, { state: 'error', error })
  expect(await svc(['account', 'test', 'Ada'], { env })).toEqual({
    code: 1,
    stdout: `IMAP: ${error}\nSMTP: ${error}\n`,
    stderr: '',
  })
  const json = await svc(['account', 'test', 'Ada', '--json'], { env })
  expect(json).toMatchObject({ code: 1, stderr: '' })
  const failed = { ok: false, error }
  expect(JSON.parse(json.stdout)).toEqual({ imap: failed, smtp: failed })
  provider.scripted = undefined
  await eventuallyIs(env, { state: 'ok' })
  expect((await account(env)).error).toBeUndefined()
  expectNoSecretIn(env, service.stdout(), service.stderr())
})

test('a change that is not to be tested asks the token endpoint for nothing', async () => {
  const env = environment('MICROSOFT')
  provider.expiresInS = 1
  await add(env)
  provider.tokenRequests.length = 0
  const changed = await svc(['account', 'set', 'Ada', '--smtp-port', '1', '--no-test'], { env })
  expect(changed).toMatchObject({ code: 0 })
  expect(provider.tokenRequests).toEqual([])
})

test('a grant that was taken back asks to be authorised again, and then the sync goes on', async () => {
  const env = environment('MICROSOFT')
  provider.expiresInS = 1
  await add(env)
  provider.expiresInS = 3_600
  provider.revoke()
  const service = await startService(['serve'], { env })
  await eventuallyIs(env, {
    state: 'error',
    error: expect.stringMatching(/ended the authorisation .*svc account authorise Ada$/),
  })
  const again = await byDeviceCode(['account', 'authorize', 'ada'], env)
  expect(again).toMatchObject({ code: 0, stdout: 'Authorised account Ada (id 1).\n' })
  await eventuallyIs(env, { state: 'ok' })
  expectNoSecretIn(env, again.stderr, service.stdout(), service.stderr())
})

test.each([
  ['which both servers refuse', false, /IMAP: Authentication failed\.\nSMTP: .*535/],
  ['which its ID token names', true, /The authorisation is for stranger@example\.test, not for/],
])(
  'an authorisation for another mailbox, %s, leaves the earlier one',
  async (_how, named, words) => {
    const env = environment('GOOGLE')
    await byBrowser(['account', 'add', ...addOptions(), '--oauth', 'google'], env)
    const before = await grants(env)
    provider.signedIn = 'stranger@example.test'
    provider.sendsIdTokens = named
    const refused = await byBrowser(['account', 'authorise', 'Ada'], env)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(words)
    expect(await grants(env)).toEqual(before)
    expect(await svc(['account', 'test', 'Ada'], { env })).toMatchObject({ code: 0 })
  },
)

test('an authorisation takes the place of a password, and a password that of an authorisation', async () => {
  const env = environment('MICROSOFT')
  const withPassword = { env, input: `${user.password}\n` }
  const added = await svc(
    ['account', 'add', ...addOptions(), '--password-stdin', '--no-test'],
    withPassword,
  )
  expect(added.code).toBe(0)
  expect(await svc(['account', 'authorise', 'Ada'], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--oauth'),
  })
  const authorise = ['account', 'authorise', 'Ada', '--oauth', 'microsoft']
  expect(await byDeviceCode(authorise, env)).toMatchObject({ code: 0 })
  expect(await account(env)).toMatchObject({ oauth: 'microsoft' })
  expect(await svc(['account', 'test', 'Ada'], { env })).toMatchObject({ code: 0 })
  await svc(['account', 'set', 'Ada', '--password-stdin', '--no-test'], withPassword)
  expect((await account(env)).oauth).toBeUndefined()
  expect((await svc(['account', 'test', 'Ada'], { env })).stdout).toMatch(/^IMAP: ok$/m)
})

test('an authorisation that is refused adds nothing', async () => {
  const env = environment('GOOGLE')
  provider.signedIn = ''
  const refused = await byBrowser(['account', 'add', ...addOptions(), '--oauth', 'google'], env)
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('svc: Google gave no authorisation: access_denied\n'),
  })
  expect(await grants(env)).toEqual([])
})

const REGISTERED = { SVC_OAUTH_GOOGLE_CLIENT_ID: 'x' }

test.each([
  { what: 'no client id', more: [], env: {}, words: /register .*SVC_OAUTH_GOOGLE_CLIENT_ID/ },
  { what: 'a device code of Google', more: ['--device'], env: REGISTERED, words: /in a browser/ },
  { what: 'a password too', more: ['--password-stdin'], env: REGISTERED, words: /no password/ },
])('$what is wrong usage', async ({ more, env, words }) => {
  const { SVC_DATA_DIR } = environment('GOOGLE')
  const args = ['account', 'add', ...addOptions(), '--oauth', 'google', ...more]
  const refused = await svc(args, { env: { SVC_DATA_DIR, ...env } })
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(words) })
})
