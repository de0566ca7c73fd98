import { expect, test } from 'vitest'
import { tlsWords } from '../../../runtime/node/tls-words.ts'

const OPENSSL =
  '40AD61D5A17F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/openssl/ssl/record/methods/tlsany_meth.c:77:\n'
const SELF_SIGNED =
  'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca'
const NAMES =
  "Hostname/IP does not match certificate's altnames: Host: localhost. is not in the cert's"

test.each([
  ['ERR_SSL_WRONG_VERSION_NUMBER', OPENSSL, /does not speak TLS on this port.*starttls/],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', OPENSSL, /does not speak TLS on this port/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', SELF_SIGNED, /self-signed certificate.*NODE_EXTRA_CA_CERTS/],
  ['SELF_SIGNED_CERT_IN_CHAIN', SELF_SIGNED, /nobody this machine trusts.*NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', '', /leaves out.*NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', '', /leaves out.*NODE_EXTRA_CA_CERTS/],
  ['CERT_HAS_EXPIRED', 'certificate has expired', /certificate has expired; .*renew/],
  ['CERT_NOT_YET_VALID', '', /not valid yet.*clock/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', `${NAMES} altnames: DNS:a.example`, /\(DNS:a\.example\)/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'no names', /is for another host name; give/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', OPENSSL, /TLS 1\.2 or newer/],
  ['ERR_SSL_DH_KEY_TOO_SMALL', OPENSSL, /too weak/],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', OPENSSL, /failed: tls alert handshake failure\.$/],
  [
    'ECONNRESET',
    'Client network socket disconnected before secure TLS connection was established',
    /closed the connection before TLS/,
  ],
])('%s', (code, message, words) => {
  expect(tlsWords({ code, message })).toMatch(words)
  expect(tlsWords({ code, message })).not.toMatch(/deps\/openssl|--use-system-ca|\n/)
  expect(tlsWords({ code: 'ESOCKET', originalCode: code, message })).toMatch(words)
})

test('a certificate with many names does not fill the screen', () => {
  const names = 'DNS:a.example, '.repeat(1000)
  const words = tlsWords({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    message: `${NAMES} altnames: ${names}`,
  })
  expect(words?.length).toBeLessThan(400)
})

test.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAUTH', undefined])(
  '%s is not about TLS',
  (code) => {
    expect(tlsWords({ code, message: 'connect failed' })).toBeUndefined()
  },
)
