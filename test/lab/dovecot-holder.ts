import { startLabDovecot } from './dovecot.ts'

// A process that starts a Dovecot with an open session, says so in a line of JSON and waits for its end.
const dovecot = await startLabDovecot()
const user = await dovecot.addUser()
const client = await dovecot.secondClient(user)
await client.mailboxOpen('INBOX')
process.stdout.write(`${JSON.stringify({ pid: dovecot.pid, maildir: user.maildir })}\n`)
setInterval(() => {}, 60_000)
