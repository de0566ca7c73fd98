import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { memoryMetrics } from '../../../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../../../runtime/node/imap/mail-server.ts'
import type { MailServerError } from '../../../../runtime/ports/mail-server-error.ts'
import type { Login } from '../../../../runtime/ports/mail-server.ts'
import { startHostileImap } from '../../../lab/hostile-imap.ts'

const PASSWORD = 'correct "horse'
const TOKEN = 'ya29.a0-Token_of/length+64'

/** What is thrown at a login that the server repeats in its refusal. */
async function refusalOf(capability: string, login: Login): Promise<MailServerError> {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  const refused = (tag: string, said: string) =>
    `${tag} NO [AUTHENTICATIONFAILED] I got ${said}\r\n`
  let waiting = ''
  imap.behave({
    capability,
    answer({ tag, command, args }, honest) {
      if (command === '') return refused(waiting, `SASL ${tag}`)
      if (command !== 'LOGIN' && command !== 'AUTHENTICATE') return honest
      if (args !== 'PLAIN') return refused(tag, `${command} ${args}`)
      waiting = tag
      return '+ \r\n'
    },
  })
  const { host, imapPort: port } = imap
  const failed: unknown = await imapflowMailServer({ metrics: memoryMetrics() })
    .connect({ host, port, tls: 'none', user: 'ada', login })
    .catch((error: unknown) => error)
  return failed as MailServerError
}

test.each([
  ['LOGIN', 'IMAP4rev1', { kind: 'password', password: PASSWORD }],
  ['SASL', 'IMAP4rev1 AUTH=PLAIN', { kind: 'password', password: PASSWORD }],
  ['AUTHENTICATE XOAUTH2', 'IMAP4rev1 SASL-IR AUTH=XOAUTH2', { kind: 'oauth', accessToken: TOKEN }],
  [
    'AUTHENTICATE OAUTHBEARER',
    'IMAP4rev1 SASL-IR AUTH=OAUTHBEARER',
    { kind: 'oauth', accessToken: TOKEN },
  ],
] as const)(
  'a server that repeats %s tells nobody what logged in',
  async (said, capability, login) => {
    const error = await refusalOf(capability, login)
    expect(error).toMatchObject({ kind: 'auth', retryable: false })
    expect(error.message).toContain(`I got ${said}`)
    expect(error.message).toContain('***')
    const logged = inspect(error, { depth: null, showHidden: true })
    const decoded = (logged.match(/[A-Za-z0-9+/]{8,}/g) ?? []).map((run) =>
      atob(run.slice(run.length % 4)),
    )
    for (const secret of [PASSWORD, JSON.stringify(PASSWORD).slice(1, -1), TOKEN])
      expect([logged, ...decoded].join('\n')).not.toContain(secret)
  },
)
