import type { DovecotUser } from './dovecot.ts'
import { seedMaildir } from './maildir.ts'
import { demoMessages } from './mails.ts'
import type { DemoMessage } from './mails.ts'

/** Puts the demo mailbox, dated relative to `now`, into the user's empty one; returns how many messages. */
export async function fillMailbox(user: DovecotUser, now: Date): Promise<number> {
  const byFolder = new Map<string, DemoMessage[]>()
  for await (const message of demoMessages(now))
    byFolder.set(message.folder, [...(byFolder.get(message.folder) ?? []), message])
  let count = 0
  for (const [folder, messages] of byFolder) count += await seedMaildir(user, folder, messages)
  return count
}
