import { ImapFlow } from 'imapflow'

/** A mailbox owner of a server of one test. */
export interface LabUser {
  readonly user: string
  readonly password: string
  readonly email: string
}

/** What every real mail server of the lab can do. */
export interface LabServer {
  readonly host: string
  /** IMAP without TLS. */
  readonly imapPort: number
  /** Adds a user that can log in at once. */
  addUser(): Promise<LabUser>
  /** Another mail program of the same user, logged in; closed with the server at the latest. */
  secondClient(user: LabUser): Promise<ImapFlow>
  /** Ends all its processes and removes its mail. */
  stop(): Promise<void>
}

/** Mail programs over plain text, which are closed together. */
export function plainClients(host: string, port: number) {
  const clients: ImapFlow[] = []
  return {
    async connect({ user, password }: LabUser): Promise<ImapFlow> {
      const client = new ImapFlow({
        host,
        port,
        secure: false,
        doSTARTTLS: false,
        auth: { user, pass: password },
        logger: false,
      })
      // The server may go first at the end of a test.
      client.on('error', () => {})
      await client.connect()
      clients.push(client)
      return client
    },
    close() {
      for (const client of clients) client.close()
    },
  }
}
