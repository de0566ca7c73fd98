import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { PATIENCE } from '../../../../runtime/node/smtp/patience.ts'
import { nodemailerSubmission } from '../../../../runtime/node/smtp/submission.ts'
import type { Login } from '../../../../runtime/ports/mail-server.ts'
import { startHostileSmtp } from '../../../lab/hostile-smtp.ts'
import { startLabSmtp } from '../../../lab/smtp.ts'
import { sendWith, submissionSettings } from '../../../support/submitting.ts'

const PASSWORD = 'correct-horse'
const TOKEN = 'ya29.a0-Token_of_length'
const IMPATIENCE = { ...PATIENCE, greetingMs: 500 }
const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each<[said: string, login: Login]>([
  [PASSWORD, { kind: 'password', password: PASSWORD }],
  [base64(PASSWORD), { kind: 'password', password: PASSWORD }],
  [base64(`\0sender\0${PASSWORD}`), { kind: 'password', password: PASSWORD }],
  [base64(`user=sender\x01auth=Bearer ${TOKEN}\x01\x01`), { kind: 'oauth', accessToken: TOKEN }],
])('a server that repeats %s tells nobody what logged in', async (said, login) => {
  const smtp = await startLabSmtp({ tls: 'none' })
  onTestFinished(() => smtp.stop())
  smtp.refuse({ auth: { code: 535, text: `What is ${said} for?` } })
  const { host, port } = smtp
  const error: unknown = await nodemailerSubmission()
    .verify({ host, port, tls: 'none', user: 'sender', login })
    .catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    kind: 'auth',
    message: expect.stringContaining('What is *** for?'),
  })
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(said)
})

test('an access token lets in, and a bad one is refused in the words that follow the challenge', async () => {
  const smtp = await startLabSmtp({ tls: 'none', isGoodToken: (_user, token) => token === TOKEN })
  onTestFinished(() => smtp.stop())
  const submission = nodemailerSubmission()
  const settings = submissionSettings(smtp, { kind: 'oauth', accessToken: TOKEN })
  await submission.verify(settings)
  expect(await sendWith(submission, { settings })).toMatchObject({ became: 'sent' })
  await submission.close()

  // As Gmail does it.
  const strict = await startHostileSmtp({
    react: (moment) => (moment === 'AUTH' ? { say: '334 eyJzdGF0dXMiOiI0MDEifQ==' } : undefined),
  })
  onTestFinished(() => strict.stop())
  const bad = submissionSettings(strict, { kind: 'oauth', accessToken: TOKEN })
  await expect(submission.verify(bad)).rejects.toMatchObject({
    kind: 'auth',
    retryable: false,
    smtpCode: 535,
    message: '535 5.7.8 Not accepted',
  })
})

test.each([
  ['refuses it', { say: '454 Not now' }, 'refuses STARTTLS: 454'],
  ['does not know it', { say: '502 What?' }, 'refuses STARTTLS: 502'],
  ['goes on without it', { say: '220 Go\r\n250 OK' }, ''],
  ['ends the connection', { say: '220 Go', cut: true }, ''],
])(
  'nothing is said in clear where STARTTLS is asked for and a server %s',
  async (_how, reaction, words) => {
    const smtp = await startHostileSmtp({
      extensions: ['STARTTLS', 'AUTH PLAIN'],
      react: (moment) => (moment === 'STARTTLS' ? reaction : undefined),
    })
    onTestFinished(() => smtp.stop())
    const settings = { ...submissionSettings(smtp), tls: 'starttls' as const }
    const outcome = await sendWith(nodemailerSubmission(IMPATIENCE), { settings })
    expect(outcome.became).toMatch(/refused|unreachable/)
    expect(outcome.words).toContain(words)
    const verbs = smtp.commands.map((line) => line.split(' ')[0])
    expect(verbs.slice(0, 2)).toEqual(['EHLO', 'STARTTLS'])
    expect(smtp.commands.join()).not.toMatch(/AUTH|MAIL/)
  },
)

test('a login that a server does not offer is tried all the same', async () => {
  const smtp = await startHostileSmtp({
    extensions: [],
    react: (moment) => (moment === 'AUTH' ? { say: '503 No logins here' } : undefined),
  })
  onTestFinished(() => smtp.stop())
  const verifying = nodemailerSubmission().verify(submissionSettings(smtp))
  await expect(verifying).rejects.toMatchObject({ kind: 'auth', message: '503 No logins here' })
})
