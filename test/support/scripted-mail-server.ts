import type { MailServer, MailSession, ServerSettings } from '../../runtime/ports/mail-server.ts'

const unused = () => {
  throw new Error('This test asks the session for nothing.')
}

/** Counts connections; logins end when the test says so, or at once. */
export function scriptedMailServer(login: () => Promise<void> = async () => {}) {
  const counts = { open: 0, mostOpen: 0, loggingIn: 0, mostLoggingIn: 0, connected: 0 }
  const session = (): MailSession => ({
    hasGmailLabels: false,
    listMailboxes: unused,
    select: unused,
    exists: unused,
    searchUids: unused,
    fetchMessages: unused,
    fetchHeaders: unused,
    fetchChanges: unused,
    watchElsewhere: unused,
    hasChangedElsewhere: unused,
    idle: unused,
    markSeen: unused,
    canMove: false,
    canExpunge: false,
    storeFlags: unused,
    storeGmailLabels: unused,
    moveMessages: unused,
    copyMessages: unused,
    expunge: unused,
    createMailbox: unused,
    append: unused,
    searchCopies: unused,
    search: unused,
    close: async () => {
      counts.open -= 1
    },
  })
  const mailServer: MailServer = {
    async connect() {
      counts.connected += 1
      counts.open += 1
      counts.loggingIn += 1
      counts.mostOpen = Math.max(counts.mostOpen, counts.open)
      counts.mostLoggingIn = Math.max(counts.mostLoggingIn, counts.loggingIn)
      try {
        await login()
        return session()
      } catch (error) {
        counts.open -= 1
        throw error
      } finally {
        counts.loggingIn -= 1
      }
    },
  }
  return { mailServer, counts }
}

export const settingsOf = (user: string, host = 'imap.example.org'): ServerSettings => ({
  host,
  port: 993,
  tls: 'implicit',
  user,
  login: { kind: 'password', password: 'secret' },
})
