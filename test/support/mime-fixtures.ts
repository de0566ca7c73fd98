import { readFileSync } from 'node:fs'

const FOLDER = new URL('../fixtures/mime/', import.meta.url)

/** A message of test/fixtures/mime, byte for byte. */
export const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(name, FOLDER)))

/** A message written in a test: lines joined by CRLF, characters up to U+00FF as bytes. */
export const message = (...lines: readonly string[]): Uint8Array =>
  new Uint8Array(Buffer.from(lines.join('\r\n'), 'latin1'))
