/** A place where a mail server may be. Only secured ones are looked for. */
export interface ProbedServer {
  readonly protocol: 'imap' | 'smtp'
  readonly host: string
  readonly port: number
  readonly tls: 'implicit' | 'starttls'
}

type ProbeResult = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** Finds out whether a mail server is there; under the same rules for addresses as `Outbound`. */
export interface MailProbe {
  /** Whether a server of this protocol answers over TLS with a certificate for `host`. Logs in to nothing. */
  probe(server: ProbedServer, deadlineMs: number): Promise<ProbeResult>
}
