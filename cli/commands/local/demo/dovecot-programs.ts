import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The programs a throw-away Dovecot needs are not on this machine. */
export class DovecotMissingError extends Error {
  readonly missing: readonly string[]

  constructor(missing: readonly string[]) {
    super(
      `Not found: ${missing.join(', ')}. On Debian: apt-get install dovecot-imapd dovecot-lmtpd openssl`,
    )
    this.name = 'DovecotMissingError'
    this.missing = missing
  }
}

/** Where the `dovecot` program is. Throws `DovecotMissingError` naming every needed program that is not there. */
export function findDovecot(path: string = process.env['PATH'] ?? ''): string {
  // An ordinary user's search path often lacks the folder of the system's programs.
  const folders = [...path.split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const libraries = ['/usr/lib/dovecot', '/usr/libexec/dovecot', '/usr/local/libexec/dovecot']
  const found = {
    dovecot: findIn(folders, 'dovecot'),
    'dovecot imap': findIn(libraries, 'imap'),
    'dovecot lmtp': findIn(libraries, 'lmtp'),
    openssl: findIn(folders, 'openssl'),
  }
  const missing = Object.entries(found).filter(([, file]) => file === undefined)
  if (found.dovecot === undefined || missing.length > 0)
    throw new DovecotMissingError(missing.map(([name]) => name))
  return found.dovecot
}

function findIn(folders: readonly string[], program: string): string | undefined {
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
