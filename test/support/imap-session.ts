import { onTestFinished } from 'vitest'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../runtime/node/imap/mail-server.ts'
import type { MailSession } from '../../runtime/ports/mail-server.ts'
import type { LabServer, LabUser } from '../lab/lab-server.ts'
import { rawImap, readServer } from '../lab/raw-imap.ts'

/** A session of our own with this mailbox open, until the test ends. */
export async function openSession(
  server: Pick<LabServer, 'host' | 'imapPort'>,
  user: LabUser,
  path = 'INBOX',
): Promise<MailSession> {
  const session = await openLastingSession(server, user, path)
  onTestFinished(() => session.close())
  return session
}

/** The same until somebody closes it. */
export async function openLastingSession(
  { host, imapPort: port }: Pick<LabServer, 'host' | 'imapPort'>,
  { user, password }: LabUser,
  path = 'INBOX',
): Promise<MailSession> {
  const mailServer = imapflowMailServer({ metrics: memoryMetrics() })
  const login = { kind: 'password', password } as const
  const session = await mailServer.connect({ host, port, tls: 'none', user, login })
  await session.select(path)
  return session
}

/** The flags of the messages in a mailbox by UID, as a program sees them that shares no code with ours. */
export async function flagsOnServer(
  server: Pick<LabServer, 'host' | 'imapPort'>,
  user: LabUser,
  path = 'INBOX',
): Promise<Readonly<Record<number, readonly string[]>>> {
  const imap = await rawImap(server, user)
  const folders = await readServer(imap).finally(() => imap.close())
  const messages = folders[path]?.messages ?? []
  return Object.fromEntries(messages.map(({ uid, flags }) => [uid, flags]))
}
