import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { nodemailerSubmission } from '../../../../runtime/node/smtp/submission.ts'
import type { Login } from '../../../../runtime/ports/mail-server.ts'
import { startLabSmtp } from '../../../lab/smtp.ts'

const PASSWORD = 'correct-horse'
const TOKEN = 'ya29.a0-Token_of_length'
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
