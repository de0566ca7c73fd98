import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** PEM files of a certificate for localhost and 127.0.0.1, and of the authority that issued it. */
export interface Certificate {
  readonly caFile: string
  readonly certFile: string
  readonly keyFile: string
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Makes a small authority and a certificate of its own in `directory`, which exists. Needs openssl 3. */
export async function makeCertificate(directory: string): Promise<Certificate> {
  const caFile = join(directory, 'ca.pem')
  const caKeyFile = join(directory, 'ca.key')
  const certFile = join(directory, 'cert.pem')
  const keyFile = join(directory, 'key.pem')
  await issue({ subj: '/CN=Local throw-away authority', keyout: caKeyFile, out: caFile })
  await issue({
    CA: caFile,
    CAkey: caKeyFile,
    subj: '/CN=localhost',
    keyout: keyFile,
    out: certFile,
    addext: ['basicConstraints=critical,CA:FALSE', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
  })
  return { caFile, certFile, keyFile }
}

async function issue(options: Readonly<Record<string, string | readonly string[]>>): Promise<void> {
  const given = Object.entries(options).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [`-${name}`, value]),
  )
  await run('openssl', ['req', '-x509', '-days', '30', ...KEY, ...given])
}
