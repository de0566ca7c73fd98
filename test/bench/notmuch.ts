import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { bytesIn } from './disk-use.ts'
import { runPeer } from './peer-run.ts'
import type { PeerRun } from './peer-run.ts'
import type { Environment } from './service.ts'

const NOTMUCH = '/usr/bin/notmuch'

/** A Maildir that notmuch has indexed. */
export interface Notmuch {
  readonly indexed: PeerRun
  /** Of its index on the disk. */
  readonly indexBytes: number
  /** The Message-IDs of the newest messages that a query finds; a program is started for each. */
  search(query: string, limit: number): Promise<readonly string[]>
  /** Starts the program and nothing else. */
  start(): Promise<unknown>
}

/** With it, text in scripts without spaces is found by two or more characters. */
export const BY_CHARACTERS: Environment = { XAPIAN_CJK_NGRAM: '1' }

/** Indexes a Maildir, which stays as it is; all that is written goes into `directory`. */
export async function indexWithNotmuch(
  directory: string,
  maildir: string,
  settings: Environment = {},
): Promise<Notmuch> {
  const database = join(directory, 'index')
  await mkdir(database, { recursive: true })
  const config = join(directory, 'config')
  const lines =
    `[database]\npath=${database}\nmail_root=${maildir}\n` +
    `[user]\nname=Reader\nprimary_email=reader@bench.test\n` +
    `[new]\ntags=new\nignore=/dovecot.*/\n[search]\nexclude_tags=\n`
  await writeFile(config, lines)
  const environment = { HOME: directory, NOTMUCH_CONFIG: config, ...settings }
  const indexed = await runPeer([NOTMUCH, 'new', '--quiet', '--no-hooks'], environment)
  const run = promisify(execFile)
  return {
    indexed,
    indexBytes: bytesIn(database, () => true),
    search: async (query, limit) => {
      const how = ['--sort=newest-first', '--output=messages', '--format=json']
      const args = ['search', `--limit=${limit}`, ...how, query]
      const { stdout } = await run(NOTMUCH, args, { env: environment })
      return JSON.parse(stdout) as readonly string[]
    },
    start: () => run(NOTMUCH, ['--version'], { env: environment }),
  }
}
