import { describe, expect, test } from 'vitest'
import { listenedApi } from '../../../../support/listened-api.ts'
import { svc, type SvcOptions } from '../../../../support/svc.ts'

const SECRET = /^whsec_[\w-]{43}\n$/

async function setUp(options: Parameters<typeof listenedApi>[0] = {}) {
  const api = await listenedApi(options)
  const webhooks = (args: string, more: SvcOptions = {}) =>
    svc(['mail', 'webhooks', ...args.split(' ')], { env: api.client, ...more })
  return { ...api, webhooks }
}

test('a webhook from its creation to its end, for people', async () => {
  const { webhooks } = await setUp()
  expect(await webhooks('list')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'There are no webhooks yet; svc mail webhooks create creates one.\n',
  })
  const receiver = 'http://127.0.0.1:9/hook'
  expect(await webhooks(`create ${receiver} -events message.sent,sync.eror -paused`)).toEqual({
    code: 0,
    stdout: expect.stringMatching(SECRET),
    stderr: expect.stringMatching(
      /^Webhook 1: message\.sent to http:\/\/127\.0\.0\.1:9\/hook\. Keep .+\nThere is no event sync\.eror; it was left out\.\n$/,
    ),
  })
  expect((await webhooks('list')).stdout).toBe(
    'ID  STATE   DELIVERED  FAILING  PENDING  LAST  URL                      EVENTS\n' +
      '1   paused  -          0        0        -     http://127.0.0.1:9/hook  message.sent\n',
  )
  expect(await webhooks('test 1')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Queued delivery 1 \(ping, \w+\)\.\n$/),
    stderr: 'It waits: webhook 1 is paused.\n',
  })
  expect(await webhooks('resume 1')).toMatchObject({
    code: 0,
    stdout: `Webhook 1 is active: message.sent to ${receiver}.\n`,
  })
  expect(
    await webhooks('update 1 --events sync.error,message.sent --receiver http://[::1]/'),
  ).toEqual({
    code: 0,
    stdout: 'Webhook 1 is active: message.sent sync.error to http://[::1]/.\n',
    stderr: '',
  })
  expect((await webhooks('deliveries 1 --status pending')).stdout).toMatch(
    /^ID +EVENT +STATUS .*\n1 +ping +pending +0 +- .*\n$/,
  )
  expect((await webhooks('replay 1 1')).stdout).toMatch(/^Queued delivery 1 \(ping, \w+\)\.\n$/)
  expect((await webhooks('rotate-secret 1')).stdout).toMatch(SECRET)
  expect(
    await webhooks('rotate-secret 1 --secret-stdin', { input: 'a secret of my own\n' }),
  ).toMatchObject({ code: 0, stdout: 'a secret of my own\n' })
  expect((await webhooks('pause 1')).stdout).toMatch(/^Webhook 1 is paused: /)
  expect(await webhooks('delete 1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  })
  expect(await webhooks('delete 1 --yes')).toMatchObject({
    code: 0,
    stdout: 'Deleted webhook 1.\n',
  })
  expect(await webhooks('pause 1')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'svc: There is no webhook 1.\n',
  })
})

test('with --json what the API answers, and nothing else on standard output', async () => {
  const { webhooks, h } = await setUp()
  const json = async (args: string) => {
    const { code, stdout } = await webhooks(`${args} --json`)
    expect(code).toBe(0)
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const api = async (path: string) => (await h.get(`/api/v1/webhooks${path}`)).json()
  const created = await json('create http://127.0.0.1:9/ --events message.sent')
  expect(created).toEqual({
    webhook: await api('/1'),
    secret: expect.stringMatching(/^whsec_/),
    note: expect.any(String),
  })
  expect(await json('list')).toEqual(await api(''))
  expect(await json('pause 1')).toEqual(await api('/1'))
  expect(await json('resume 1')).toEqual(await api('/1'))
  expect(await json('update 1 --events message.sent')).toEqual(await api('/1'))
  expect(await json('rotate-secret 1')).toMatchObject({ webhook: await api('/1') })
  expect(await json('test 1')).toMatchObject({ id: 1, webhook: { id: 1 } })
  expect(await json('replay 1 1')).toMatchObject({ id: 1, webhook: { id: 1 } })
  expect(await json('deliveries 1 --limit 1')).toEqual(await api('/1/deliveries?limit=1'))
  expect(await webhooks('delete 1 --yes --json')).toEqual({ code: 0, stdout: '', stderr: '' })
})

describe('failures', () => {
  test('say in one line what the service said, with an exit code for each kind', async () => {
    const { webhooks, h, client } = await setUp()
    const failure = async (args: string, more?: SvcOptions) => {
      const { code, stdout, stderr } = await webhooks(args, more)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^svc: [^\n]+\n$/)
      expect(stderr).not.toContain('svc_pat_')
      return code
    }
    expect(await failure('create ftp://x --events ping')).toBe(2)
    expect(await failure('deliveries 1 --limit 101')).toBe(2)
    expect(await failure('test 7')).toBe(1)
    expect(await failure('update 1')).toBe(2)
    expect(await failure('list', { env: { ...client, SVC_TOKEN: 'svc_pat_x' } })).toBe(4)
    expect(await failure('list', { env: { ...client, SVC_TOKEN: 'svc_pat_x\ny' } })).toBe(4)
    expect(await failure('list', { env: { SVC_URL: client.SVC_URL } })).toBe(4)
    expect(await failure('list', { env: { ...client, SVC_URL: 'http://127.0.0.1:9' } })).toBe(1)
    Object.assign(h.runtime.config, { automation: false })
    expect(await failure('list')).toBe(5)
  })

  test.each(['test', 'test one', 'replay 1', 'create', 'create http://x', 'unknown'])(
    '%s is wrong usage',
    async (args) => {
      const { webhooks } = await setUp()
      expect(await webhooks(args)).toMatchObject({ code: 2, stdout: '' })
    },
  )
})
