import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { type LabSmtp, startLabSmtp } from '../lab/smtp.ts'
import { eventually } from '../support/eventually.ts'
import { sendingClient } from '../support/sending-client.ts'
import { startService, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const AT_ONCE = 50
/** Messages that are on their way there and back at the same time. */
const TOGETHER = 6
const ARRIVES_WITHIN_MS = 20_000
const SCHEDULED_AHEAD_MS = 500

let dovecot: LabDovecot
let smtp: LabSmtp
let ada: DovecotUser
let grace: DovecotUser

beforeAll(async () => {
  dovecot = await startLabDovecot()
  ada = await dovecot.addUser()
  grace = await dovecot.addUser()
  const users = { [ada.user]: ada.password, [grace.user]: grace.password }
  smtp = await startLabSmtp({
    tls: 'none',
    users,
    deliver: async ({ smtpEnvelope, source }) => {
      for (const user of [ada, grace])
        if (smtpEnvelope.to.includes(user.email)) await dovecot.deliver(user, source)
    },
  })
})
afterAll(async () => {
  await smtp.stop()
  await dovecot.stop()
})

interface Message {
  readonly id: number
  readonly thread_id: number
  readonly message_id: string
  readonly subject: string
  readonly answered: boolean
}

interface Detail extends Message {
  readonly in_reply_to?: string
  readonly body: { readonly text?: string; readonly html?: string }
  readonly attachments: readonly {
    readonly index: number
    readonly filename: string
    readonly content_type: string
  }[]
}

/** A service with the accounts Ada and Grace, both synced. */
async function serviceOfBoth() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const env = { SVC_DATA_DIR: join(directory.path, 'data'), SVC_API_RATE_LIMIT: '0' }
  const service = await startService(['serve'], { env })
  for (const [name, user] of Object.entries({ Ada: ada, Grace: grace })) {
    const options = {
      '--email': user.email,
      '--name': name,
      '--imap-host': dovecot.host,
      '--imap-port': String(dovecot.imapPort),
      '--imap-tls': 'none',
      '--imap-user': user.user,
      '--smtp-host': smtp.host,
      '--smtp-port': String(smtp.port),
      '--smtp-tls': 'none',
    }
    const args = ['account', 'add', ...Object.entries(options).flat(), '--password-stdin']
    expect(await svc(args, { env, input: `${user.password}\n` })).toMatchObject({ code: 0 })
  }
  const scopes = 'mail:read mail:send accounts:read'
  const token = await svc(['token', 'create', '--label', 'test', '--scopes', scopes], { env })
  const headers = { Authorization: `Bearer ${token.stdout.trim()}` }
  const get = (path: string) => fetch(`${service.url}/api/v1/${path}`, { headers })
  const json = async <T>(path: string) => (await (await get(path)).json()) as T
  await eventually(async () => {
    const { data } = await json<{ data: { state: string }[] }>('accounts')
    expect(data).toMatchObject([{ state: 'ok' }, { state: 'ok' }])
  }, ARRIVES_WITHIN_MS)
  const folderIds = async () => {
    const { data } = await json<{
      data: { account: string; folders: { id: number; path: string }[] }[]
    }>('folders')
    return (account: string, path: string) =>
      data
        .find((one) => one.account === account)
        ?.folders.find((folder) => folder.path.toLowerCase() === path)?.id
  }
  return { get, json, folderIds, client: sendingClient(() => service.url, token.stdout.trim()) }
}
type Service = Awaited<ReturnType<typeof serviceOfBoth>>

/** The message with this subject, once it is listed. */
const listed = ({ json }: Service, query: string, subject: string) =>
  eventually(async () => {
    const { data } = await json<{ data: Message[] }>(`messages?limit=500&${query}`)
    const found = data.filter((message) => message.subject === subject)
    expect(found).toHaveLength(1)
    return found[0] as Message
  }, ARRIVES_WITHIN_MS)

const ATTACHED = [
  {
    filename: 'Rechnung für März.pdf',
    content_type: 'application/pdf',
    bytes: randomBytes(70_000),
  },
  {
    filename: 'notes.txt',
    content_type: 'text/plain',
    bytes: Buffer.from('one\ntwo\r\nthree\n\n'),
  },
]
const BODIES = {
  plain: 'Grüße aus 東京,\n\n.a dot first\nFrom here a line of the word "From".\n',
  html: '<p>Grüße aus <b>東京</b></p>',
  markdown: '# Grüße\n\nfrom **東京**, see [this](https://example.com/).\n',
} as const

const CASES = (['plain', 'html', 'markdown'] as const).flatMap((mode) =>
  [false, true].flatMap((hasAttachments) =>
    [false, true].flatMap((isReply) =>
      [false, true].map((isScheduled) => ({ mode, hasAttachments, isReply, isScheduled })),
    ),
  ),
)

test('what is sent in any way is received, synced and read back as it was meant', async () => {
  const service = await serviceOfBoth()
  const { client, json, get } = service
  const question = await client.send({
    account: 'Grace',
    to: [`Ada <${ada.email}>`],
    subject: 'A question',
    body: 'Can it?',
  })
  const original = await listed(service, 'account=Ada', 'A question')
  expect(question).toEqual({ kind: 'sent', messageId: original.message_id })

  const thereAndBack = async ({
    mode,
    hasAttachments,
    isReply,
    isScheduled,
  }: (typeof CASES)[number]) => {
    const subject =
      `${mode} ${hasAttachments ? '📎' : ''} ${isReply ? 'Antwort' : ''} ${isScheduled ? 'später' : ''}`.trim()
    const answer = await client.send({
      account: 'Ada',
      to: [`"Hopper, Grace" <${grace.email}>`],
      subject,
      body: BODIES[mode],
      mode,
      ...(isReply && { in_reply_to: original.id }),
      ...(hasAttachments && {
        attachments: ATTACHED.map(({ bytes, ...file }) => ({
          ...file,
          data: bytes.toString('base64'),
        })),
      }),
      ...(isScheduled && { schedule_at: new Date(Date.now() + SCHEDULED_AHEAD_MS).toISOString() }),
    })
    expect(answer.kind).toBe(isScheduled ? 'scheduled' : 'sent')

    const { id } = await listed(service, 'account=Grace', subject)
    const received = await json<Detail>(`messages/${id}?body=both`)
    if (answer.kind === 'sent') expect(received.message_id).toBe(answer.messageId)
    expect(received.in_reply_to).toBe(isReply ? original.message_id : undefined)
    const { text = '', html = '' } = received.body
    if (mode === 'plain') expect(text.replaceAll('\r\n', '\n')).toBe(BODIES.plain)
    if (mode === 'html') expect(html.trim()).toBe(BODIES.html)
    if (mode === 'markdown')
      expect(html).toMatch(/<h1>Grüße<\/h1>\s*<p>from <strong>東京<\/strong>/)
    expect(text).toMatch(/Grüße[^]*東京/)

    expect(received.attachments).toMatchObject(
      hasAttachments
        ? ATTACHED.map(({ filename, content_type }) => ({ filename, content_type }))
        : [],
    )
    for (const { index } of received.attachments) {
      const answered = await get(`messages/${id}/attachments/${index}`)
      expect(Buffer.from(await answered.arrayBuffer())).toEqual(ATTACHED[index]?.bytes)
    }
  }
  for (let start = 0; start < CASES.length; start += TOGETHER)
    await Promise.all(CASES.slice(start, start + TOGETHER).map(thereAndBack))

  const sentFolder = (await service.folderIds())('Ada', 'sent')
  for (const { mode, isReply } of CASES.slice(0, 4)) {
    if (!isReply) continue
    const copy = await listed(service, `folder=${sentFolder}`, `${mode}  Antwort`)
    expect(copy.thread_id).toBe(original.thread_id)
  }
  expect(await json(`messages/${original.id}`)).toMatchObject({ answered: true })
}, 120_000)

describe('with one Idempotency-Key', () => {
  test(`${AT_ONCE} sends at once are one message, and all get the same answer`, async () => {
    const { client } = await serviceOfBoth()
    const before = smtp.accepted.length
    const body = { account: 'Ada', to: [grace.email], subject: 'Once', body: 'Once.' }
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        client.ask('POST', 'messages/send', { body, key: 'k' }),
      ),
    )
    expect(smtp.accepted.length - before).toBe(1)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 200, body: { status: 'sent' } })
  })
})
