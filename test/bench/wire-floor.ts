import { ImapFlow } from 'imapflow'

import type { Dovecot, DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { median } from './statistics.ts'

const FIRST_SCREEN_RUNS = 5

/** How fast the mailbox can be had from the server at all, in milliseconds. */
export interface WireFloor {
  /** Connect, and the sources of the newest 50. */
  readonly firstScreenMs: number
  /** Connect, and the sources of all. */
  readonly everythingMs: number
}

/** Reads with imapflow alone and throws away what it reads. */
export async function measureWireFloor(dovecot: Dovecot, user: DovecotUser): Promise<WireFloor> {
  // The first one to open the mailbox makes the server's own index.
  await readNewest(dovecot, user, 50)
  const firstScreens: number[] = []
  for (let run = 0; run < FIRST_SCREEN_RUNS; run += 1)
    firstScreens.push(await readNewest(dovecot, user, 50))
  const everythingMs = await readNewest(dovecot, user, Infinity)
  return { firstScreenMs: median(firstScreens), everythingMs }
}

/** From before the connection to the last byte, in milliseconds. */
async function readNewest(dovecot: Dovecot, user: DovecotUser, count: number): Promise<number> {
  const startMs = performance.now()
  const client = new ImapFlow({
    host: dovecot.host,
    port: dovecot.imapPort,
    secure: false,
    doSTARTTLS: false,
    auth: { user: user.user, pass: user.password },
    logger: false,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { exists } = await client.mailboxOpen('INBOX')
    const wanted = { source: true, flags: true, internalDate: true, size: true }
    for await (const { source } of client.fetch(`${Math.max(1, exists - count + 1)}:*`, wanted))
      if (source === undefined) throw new Error('The server sent a message without its source.')
    return performance.now() - startMs
  } finally {
    client.close()
  }
}
