import { addAccount } from '../../../../domain/accounts/add.ts'
import { listChanges } from '../../../../domain/changes/list.ts'
import { listMessages } from '../../../../domain/messages/list.ts'
import { createToken } from '../../../../domain/tokens/create.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { serve } from '../../../../runtime/entries/serve.ts'
import type { Runtime } from '../../../../runtime/ports/runtime.ts'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { note, print } from '../../../output.ts'
import { choosePort } from './choose-port.ts'
import { startDemoMailbox } from './demo-mailbox.ts'
import type { DemoMailbox } from './demo-mailbox.ts'
import { useDemoPort, useDemoSettings } from './demo-settings.ts'
import { DovecotMissingError, findDovecot } from './dovecot-programs.ts'
import { firstSync } from './first-sync.ts'
import { keepDelivering } from './keep-delivering.ts'
import { LOOPBACK } from './loopback.ts'
import { pagesText } from './pages.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { walk } from './walk.ts'

const SCOPES = 'mail:read mail:send mail:modify accounts:read webhooks:manage'

export interface DemoOptions {
  readonly port?: number
  /** Seconds between two new messages. */
  readonly every: number
}

/** `svc demo`: runs until it is told to end, and leaves nothing behind. Returns the exit code. */
export async function runDemo(options: DemoOptions): Promise<number> {
  refuseWithoutDovecot()
  const directory = await temporaryDirectory()
  try {
    useDemoSettings(directory.path)
    return await withLocalRuntime((runtime) => serveDemo(runtime, options))
  } finally {
    await directory.remove()
    note('The demo is over; nothing of it is left.')
  }
}

function refuseWithoutDovecot(): void {
  try {
    findDovecot()
  } catch (error) {
    if (!(error instanceof DovecotMissingError)) throw error
    throw new CommandFailed(`The demo runs a mail server of its own. ${error.message}`)
  }
}

/** The service runs first, so that from here on every way to end goes through its orderly end. */
async function serveDemo(runtime: Runtime, options: DemoOptions): Promise<number> {
  const wanted = options.port ?? runtime.config.port
  const port = await choosePort(wanted)
  if (wanted !== 0 && port !== wanted)
    note(`Port ${wanted} is in use by another program; the demo takes ${port}.`)
  useDemoPort(port)
  note('Starting a throw-away mail server with a mailbox of made-up mail …')

  const ended = new AbortController()
  const serving = serve().finally(() => ended.abort())
  let failure: unknown
  const visit = { url: `http://${LOOPBACK}:${port}`, everyS: options.every, signal: ended.signal }
  const showing = showMailbox(runtime, visit).catch((error: unknown) => {
    if (ended.signal.aborted) return
    failure = error
    process.kill(process.pid, 'SIGTERM')
  })
  try {
    const exitCode = await serving
    // An interrupt from the keyboard reaches the mail server too, whose end is no failure then.
    if (failure !== undefined && exitCode !== EXIT.interrupted) throw failure
    return exitCode
  } finally {
    await showing
  }
}

interface Visit {
  readonly url: string
  readonly everyS: number
  /** Aborts when the service has ended. */
  readonly signal: AbortSignal
}

async function showMailbox(runtime: Runtime, visit: Visit): Promise<void> {
  const mailbox = await startDemoMailbox()
  try {
    await addDemoAccount(runtime, mailbox)
    await firstSync(runtime, visit.signal)
    await introduce(runtime, mailbox, visit)
    await keepDelivering(mailbox, visit.everyS, visit.signal)
  } finally {
    await mailbox.stop()
  }
}

async function addDemoAccount(runtime: Runtime, { dovecot, smtp, user }: DemoMailbox) {
  await addAccount(runtime, {
    email: user.email,
    name: 'Demo',
    imap: { host: dovecot.host, port: dovecot.imapPort, tls: 'none', user: user.user },
    smtp: { host: smtp.host, port: smtp.port, tls: 'none', user: user.user },
    password: user.password,
  })
}

async function introduce(runtime: Runtime, mailbox: DemoMailbox, visit: Visit): Promise<void> {
  const { dovecot, smtp, user, count } = mailbox
  const { secret: token } = await createToken(runtime, { label: 'Demo', scopes: SCOPES })
  const [newest] = (await listMessages(runtime, { limit: 1 })).items
  const { seq } = await listChanges(runtime, { since: 0, limit: 1 })
  const lines = [
    '',
    `The mailbox of ${user.email}, ${count} messages, is synced.`,
    '',
    `Pages  ${await pagesText(visit.url)}`,
    `Token  ${token}`,
    `IMAP   ${dovecot.host}:${dovecot.imapPort}, without TLS, user ${user.user}, password ${user.password}`,
    `SMTP   ${smtp.host}:${smtp.port}, the same; whatever is sent comes back to the inbox`,
    '',
    ...walk({ url: visit.url, token, messageId: newest?.id ?? 0, seq }),
    `A new message arrives every ${visit.everyS} s. Ctrl+C ends the demo and removes all of it.`,
  ]
  print(lines.join('\n'))
}
