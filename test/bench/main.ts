import { mkdtemp, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import { startGuarded } from '../../cli/commands/local/demo/guarded-process.ts'
import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import { startLabSmtp } from '../lab/smtp.ts'
import { addAccount, createToken } from './commands.ts'
import { measureDiskUse } from './disk-use.ts'
import { watchingEventLoops } from './event-loop-delay.ts'
import { measureFirstSync } from './first-sync.ts'
import { generatedMailbox } from './generated-mailbox.ts'
import { httpClient } from './http-client.ts'
import { measureListSpeed } from './list-speed.ts'
import { measureMessageSpeed } from './message-speed.ts'
import { measureNewMail } from './new-mail.ts'
import { memoryOf } from './processes.ts'
import { measureReconnect } from './reconnect.ts'
import { sidecarOf, startService } from './service.ts'
import type { Server } from './service.ts'
import { measureStartUp } from './start-up.ts'
import { markdownTable, mebibytes } from './table.ts'
import type { Row } from './table.ts'
import { measureWireFloor } from './wire-floor.ts'

const REST_MS = 5_000
const BENCH_MS_MAX = 20 * 60_000
const BENCH_MS_PER_MESSAGE_MAX = 60

const { values: options } = parseArgs({
  options: {
    messages: { type: 'string', default: '20000' },
    json: { type: 'string' },
  },
})
const messages = Number(options.messages)
if (!Number.isSafeInteger(messages) || messages < 500)
  throw new RangeError('--messages takes a whole number from 500.')

// Leaving ends what was started: everything runs in groups that end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const deadline = setTimeout(
  () => {
    console.error('The bench did not end in time.')
    process.exit(1)
  },
  BENCH_MS_MAX + messages * BENCH_MS_PER_MESSAGE_MAX,
)

const rows = await bench()
clearTimeout(deadline)
console.log(
  `${messages.toLocaleString('en-GB')} messages, ${cpus().length} cores, Node ${process.version}, ` +
    `IMAP on loopback without TLS\n\n${markdownTable(rows)}`,
)
if (options.json !== undefined)
  await writeFile(options.json, `${JSON.stringify({ messages, rows }, null, 2)}\n`)

async function bench(): Promise<readonly Row[]> {
  const stack = new AsyncDisposableStack()
  try {
    return await measureAll(stack)
  } finally {
    await stack.disposeAsync()
  }
}

/** Everything in turn; what it starts goes on the stack. */
async function measureAll(stack: AsyncDisposableStack): Promise<readonly Row[]> {
  const directory = await benchDirectory(stack)
  const dataDir = join(directory, 'data')
  const dovecot = stack.adopt(await startLabDovecot(), (server) => server.stop())
  const user = await dovecot.addUser()
  say(`seeding ${messages} messages`)
  await seedMaildir(user, 'INBOX', generatedMailbox(messages))
  const smtp = stack.adopt(
    await startLabSmtp({ tls: 'none', users: { [user.user]: user.password } }),
    (server) => server.stop(),
  )
  const measured: Row[] = []

  say('start')
  measured.push(await measureStartUp(directory))
  say('the wire alone')
  const floor = await measureWireFloor(dovecot, user)

  say('first sync')
  const watched = await startService(directory, dataDir, watchingEventLoops(directory))
  stack.defer(() => watched.stop())
  const token = await createToken(dataDir)
  const syncing = httpClient(watched.url, token)
  stack.defer(() => syncing.close())
  measured.push(
    ...(await measureFirstSync({
      service: watched,
      api: syncing,
      directory,
      messages,
      floor,
      addAccount: () => addAccount(dataDir, { dovecot, smtp, user }),
    })),
  )
  await watched.stop()
  measured.push(...(await measureDiskUse(dataDir, messages)))

  const service = await startService(directory, dataDir)
  stack.defer(() => service.stop())
  const api = httpClient(service.url, token)
  stack.defer(() => api.close())
  await delay(REST_MS)
  measured.push(await memoryRow(service, 'started again, at rest'))
  const databaseUrl = pathToFileURL(join(dataDir, 'svc.db')).href
  say('lists')
  measured.push(...(await measureListSpeed(directory, databaseUrl, api)))
  say('messages')
  measured.push(...(await measureMessageSpeed(api)))
  say('new mail')
  measured.push(await measureNewMail(dovecot, user, api))
  say('reconnect')
  measured.push(await measureReconnect(service, api))
  await delay(REST_MS)
  measured.push(await memoryRow(service, 'after all this, at rest'))
  return measured
}

/** A folder that goes with this process, however it ends: a sleeping program in a group of its own holds it. */
async function benchDirectory(stack: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const holder = await startGuarded(['sleep', 'infinity'], directory, '/dev/null')
  stack.defer(() => holder.stop())
  return directory
}

async function memoryRow(service: Server, when: string): Promise<Row> {
  const pids = [service.pid, await sidecarOf(service)]
  return {
    work: `memory, ${when}: handlers, sidecar`,
    figure: pids.map((pid) => mebibytes(memoryOf(pid).bytes)).join(', '),
  }
}

function say(what: string): void {
  process.stderr.write(`\n${process.uptime().toFixed(0)} s: ${what}\n`)
}
