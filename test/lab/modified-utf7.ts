/** A mailbox name as IMAP without UTF8=ACCEPT writes it (RFC 3501 section 5.1.3). */
export const toModifiedUtf7 = (path: string) =>
  path.replaceAll(/&|[^\x20-\x7e]+/g, (run) =>
    run === '&' ? '&-' : `&${base64(Buffer.from(run, 'utf16le').swap16())}-`,
  )

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '').replaceAll('/', ',')

export const fromModifiedUtf7 = (name: string) =>
  name.replaceAll(/&([^-]*)-/g, (_, run: string) =>
    run === '' ? '&' : Buffer.from(run.replaceAll(',', '/'), 'base64').swap16().toString('utf16le'),
  )
