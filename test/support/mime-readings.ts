import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { AddressObject, HeaderLines } from 'mailparser'
import { simpleParser } from 'mailparser'

import { digestMessage } from '../../domain/mime/digest-message.ts'
import { readAttachment } from '../../domain/mime/read-attachment.ts'

/**
 * What a parser reads in a message, in a form that can be compared: white space folded, addresses in small letters,
 * attachments as sorted SHA-256, without nested messages, which not every parser keeps whole. A field is empty
 * where the parser finds nothing, and absent where it fails.
 */
export interface Reading {
  readonly from?: string
  readonly names?: string
  readonly subject?: string
  readonly date?: string
  readonly text?: string
  readonly attachments?: string
}

export const READING_FIELDS = ['from', 'names', 'subject', 'date', 'text', 'attachments'] as const

/** What our parser reads. */
export async function ownReading(source: Uint8Array): Promise<Reading> {
  const { from, subject, dateHeaderMs, text, attachments } = await digestMessage(source)
  const hashes = attachments.map(async ({ contentType }, index) => ({
    contentType,
    hash: sha256((await readAttachment(source, attachments, index))?.bytes ?? new Uint8Array()),
  }))
  return {
    ...mailboxes(from),
    subject: folded(subject),
    date: isoDate(dateHeaderMs),
    text: folded(text),
    attachments: withoutNested(await Promise.all(hashes)),
  }
}

/** What npm mailparser reads. */
export async function mailparserReading(source: Uint8Array): Promise<Reading> {
  const mail = await simpleParser(Buffer.from(source))
  return {
    ...mailboxes(flattened(mail.from)),
    subject: folded(mail.subject),
    date: dateOf(mail.headerLines),
    text: folded(mail.text),
    attachments: withoutNested(
      mail.attachments.map(({ contentType, content }) => ({
        // Whatever its types say: false where a part has none.
        contentType: contentType || '',
        hash: sha256(content),
      })),
    ),
  }
}

export const hasPython = (): boolean => spawnSync('python3', ['--version']).status === 0

/** What Python's email package reads in each of these files. */
export function pythonReadings(paths: readonly string[]): readonly Reading[] {
  const program = fileURLToPath(new URL('python-email.py', import.meta.url))
  const output = execFileSync('python3', [program], {
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  })
  return output
    .trim()
    .split('\n')
    .map((line) => pythonReading(JSON.parse(line) as PythonLine))
}

/** A line of python-email.py; null where the package raised an error. */
interface PythonLine {
  readonly from: readonly (readonly [string, string])[] | null
  readonly subject: string | null
  readonly date: number | null
  readonly text: string | null
  readonly attachments: readonly string[] | null
}

const pythonReading = ({ from, subject, date, text, attachments }: PythonLine): Reading => ({
  ...(from ? mailboxes(from.map(([name, address]) => ({ name, address }))) : {}),
  ...(subject === null ? {} : { subject: folded(subject) }),
  date: isoDate(date),
  ...(text === null ? {} : { text: folded(text) }),
  ...(attachments ? { attachments: attachments.toSorted().join() } : {}),
})

const folded = (text = ''): string => text.replaceAll(/[\s\0\u{FEFF}]+/gu, ' ').trim()

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const isoDate = (ms: number | null | undefined): string =>
  typeof ms === 'number' ? new Date(ms).toISOString() : ''

const withoutNested = (all: readonly { contentType: string; hash: string }[]): string =>
  all
    .filter(({ contentType }) => !contentType.startsWith('message/'))
    .map(({ hash }) => hash)
    .toSorted()
    .join()

interface Mailbox {
  readonly name?: string | undefined
  readonly address?: string | undefined
}

function mailboxes(all: readonly Mailbox[]): Pick<Reading, 'from' | 'names'> {
  const withAddress = all.filter(({ address }) => address)
  return {
    from: withAddress.map(({ address }) => address?.toLowerCase()).join(),
    names: withAddress.map(({ name }) => folded(name)).join(),
  }
}

const flattened = (object: AddressObject | undefined): readonly Mailbox[] =>
  (object?.value ?? []).flatMap((address) => address.group ?? [address])

/** mailparser takes the time of day for a date that it cannot read, so its own reading is repeated here. */
function dateOf(headerLines: HeaderLines): string {
  const line = headerLines.find(({ key }) => key === 'date')?.line ?? ''
  const ms = new Date(line.slice(line.indexOf(':') + 1).trim()).getTime()
  return isoDate(Number.isNaN(ms) ? undefined : Math.floor(ms / 1000) * 1000)
}
