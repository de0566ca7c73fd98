import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'

/** Until the test ends, whoever asks nobody else trusts certificates of this authority. */
export function trustAuthority(caFile: string): void {
  const before = getCACertificates()
  setDefaultCACertificates([...before, readFileSync(caFile, 'utf8')])
  onTestFinished(() => setDefaultCACertificates(before))
}
