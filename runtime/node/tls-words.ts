interface Failure {
  readonly code?: string | undefined
  /** Where nodemailer keeps the code it replaced by its own. */
  readonly originalCode?: string | undefined
  readonly message: string
}

const GIVE_AUTHORITY = 'give its authority to NODE_EXTRA_CA_CERTS.'
const NO_TLS =
  'The server does not speak TLS on this port; try the TLS mode starttls or another port.'
const UNTRUSTED = `The server's certificate comes from nobody this machine trusts; ${GIVE_AUTHORITY}`
const INCOMPLETE =
  "The server's certificate does not lead to an authority this machine trusts: the server leaves out a " +
  `certificate in between, or the authority is one of its own; ${GIVE_AUTHORITY}`
const TOO_OLD = 'The server has no version of TLS that is safe; it needs TLS 1.2 or newer.'
const TOO_WEAK =
  "The server's certificate or key is too weak to be safe; the server needs a new one."

const WORDS: ReadonlyMap<string, string> = new Map([
  ['ERR_SSL_WRONG_VERSION_NUMBER', NO_TLS],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', NO_TLS],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    `The server's certificate is signed by nobody this machine trusts (self-signed certificate); ${GIVE_AUTHORITY}`,
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['CERT_UNTRUSTED', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', INCOMPLETE],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', INCOMPLETE],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', INCOMPLETE],
  [
    'CERT_HAS_EXPIRED',
    "The server's certificate has expired; whoever runs the server must renew it.",
  ],
  [
    'CERT_NOT_YET_VALID',
    "The server's certificate is not valid yet; is the clock of this machine right?",
  ],
  ['CERT_REVOKED', "The server's certificate was revoked."],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', TOO_OLD],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', TOO_OLD],
  ['ERR_SSL_DH_KEY_TOO_SMALL', TOO_WEAK],
  ['EE_KEY_TOO_SMALL', TOO_WEAK],
  ['CA_KEY_TOO_SMALL', TOO_WEAK],
  ['CA_MD_TOO_WEAK', TOO_WEAK],
])

/** Why TLS with a mail server failed and what to do about it; undefined where something else failed. */
export function tlsWords({ code, originalCode, message }: Failure): string | undefined {
  const reason = originalCode ?? code ?? ''
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') return wrongName(message)
  if (reason === 'ECONNRESET' && message.includes('before secure TLS connection'))
    return 'The server closed the connection before TLS was agreed on; is this the port for TLS?'
  return WORDS.get(reason) ?? otherFailure(reason)
}

/** The names in the certificate are often what the host should have been. */
function wrongName(message: string): string {
  const [, names] = /altnames: .* altnames: (.{1,200})/.exec(message) ?? []
  const listed = names === undefined ? '' : ` (${names})`
  return `The server's certificate is for another host name${listed}; give the host as its certificate names it.`
}

/** OpenSSL's own reason, without the place in its sources. */
function otherFailure(code: string): string | undefined {
  const [, reason] = /^ERR_SSL_(?:SSL\/)?(.+)$/.exec(code) ?? []
  return reason && `TLS with the server failed: ${reason.toLowerCase().replaceAll('_', ' ')}.`
}
