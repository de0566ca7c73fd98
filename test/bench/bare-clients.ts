// Idle imapflow clients and nothing else, started by the bench in a process of its own: what connections alone take.
// It says that it is well once all of them idle.
import { createServer } from 'node:http'
import { ImapFlow } from 'imapflow'

import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'

const { BENCH_CLIENTS = '', PORT } = process.env

const { host, port, users } = JSON.parse(BENCH_CLIENTS) as {
  readonly host: string
  readonly port: number
  readonly users: readonly Pick<DovecotUser, 'user' | 'password'>[]
}

const clients = await Promise.all(users.map((user) => idleClient(user)))
createServer((_, answer) => answer.end(String(clients.length))).listen(Number(PORT), '127.0.0.1')

async function idleClient({ user, password }: Pick<DovecotUser, 'user' | 'password'>) {
  const auth = { user, pass: password }
  const client = new ImapFlow({ host, port, secure: true, auth, logger: false })
  client.on('error', () => {})
  await client.connect()
  await client.mailboxOpen('INBOX')
  void client.idle()
  return client
}
