import type { SearchCriterion, SearchedPart } from '../../../runtime/ports/search-criterion.ts'
import type { SearchExpression, SearchField } from '../expression.ts'
import { bounded } from './bounded.ts'
import { dated } from './dated.ts'
import { labelled } from './labelled.ts'
import { ALL, every, type Possible, some } from './possible.ts'
import { wordsOf } from './words.ts'

/** What is known of the mailbox that is asked. */
export interface SearchedMailbox {
  /** Whether its messages are of this account. */
  readonly isOf: (account: string) => boolean
  /** Whether its messages are in this folder; undefined where some may be. */
  readonly isIn: (folder: string) => boolean | undefined
  /** Whether its messages are drafts; undefined where some may be. */
  readonly isOfDrafts: boolean | undefined
  /** Message-IDs that are known of a conversation, without angle brackets. */
  readonly messageIdsOf: (threadId: number) => readonly string[]
  readonly hasGmailLabels: boolean
}

/**
 * What to ask an IMAP server for, so that its answer holds every message that the expression is true of: it may hold
 * more. Exact for flags, sizes and keywords. Undefined where no message of the mailbox can be meant.
 */
export function toImap(
  expression: SearchExpression,
  mailbox: SearchedMailbox,
): SearchCriterion | undefined {
  const possible = compile({ expression, mailbox, isNegated: false })
  return possible === 'none' ? undefined : bounded(possible)
}

interface Compilation {
  readonly expression: SearchExpression
  readonly mailbox: SearchedMailbox
  /** Whether what the expression is *not* true of is asked for. More of it takes less to be left out. */
  readonly isNegated: boolean
}

function compile({ expression, mailbox, isNegated }: Compilation): Possible {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const of = expression.of.map((member) => compile({ expression: member, mailbox, isNegated }))
      return (expression.kind === 'and') === isNegated ? some(of) : every(of)
    }
    case 'not':
      return compile({ expression: expression.of, mailbox, isNegated: !isNegated })
    case 'account':
      return known(mailbox.isOf(expression.account), isNegated)
    case 'in':
      return known(mailbox.isIn(expression.folder), isNegated)
    case 'trait':
      return ofTrait(expression.trait, mailbox, isNegated)
    case 'size':
      return sized(expression, isNegated)
    case 'date':
      return dated(expression, isNegated)
    case 'label':
      return labelled(expression.label, { isNegated, hasGmailLabels: mailbox.hasGmailLabels })
    case 'text':
    case 'message_id':
    case 'thread':
      // Servers find more than is meant: a word within a word. What they do not find is less than what is not meant.
      return isNegated ? ALL : wider(expression, mailbox)
    default:
      return expression satisfies never
  }
}

function known(isTrue: boolean | undefined, isNegated: boolean): Possible {
  return isTrue === undefined || isTrue !== isNegated ? ALL : 'none'
}

const exact = (criterion: SearchCriterion, isNegated: boolean): SearchCriterion =>
  isNegated ? { kind: 'not', of: criterion } : criterion

const FLAGS = { read: '\\Seen', starred: '\\Flagged', answered: '\\Answered' } as const

function ofTrait(
  trait: Extract<SearchExpression, { kind: 'trait' }>['trait'],
  { isOfDrafts }: SearchedMailbox,
  isNegated: boolean,
): Possible {
  // No server can be asked what is attached or linked to.
  if (trait === 'attachment' || trait === 'link') return ALL
  if (trait === 'draft') return known(isOfDrafts, isNegated)
  return exact({ kind: 'flag', flag: FLAGS[trait] }, isNegated)
}

/** Never as a negation: of several, Dovecot takes the wrong one. */
function sized(
  { than, bytes }: Extract<SearchExpression, { kind: 'size' }>,
  isNegated: boolean,
): Possible {
  if (!isNegated) return { kind: 'size', than, bytes }
  if (than === 'larger') return { kind: 'size', than: 'smaller', bytes: bytes + 1 }
  return bytes === 0 ? ALL : { kind: 'size', than: 'larger', bytes: bytes - 1 }
}

function wider(
  expression: Extract<SearchExpression, { kind: 'text' | 'message_id' | 'thread' }>,
  mailbox: SearchedMailbox,
): Possible {
  if (expression.kind === 'text') return containing(expression.field, expression.text)
  if (expression.kind === 'message_id') return inHeader('Message-ID', expression.messageIdHeader)
  return some(
    mailbox
      .messageIdsOf(expression.threadId)
      .flatMap((id) => NAMING.map((header) => inHeader(header, id)))
      .filter((criterion) => criterion !== ALL),
  )
}

/** The header fields that name messages of the same conversation. */
const NAMING = ['Message-ID', 'References', 'In-Reply-To']

const PARTS: Readonly<Record<SearchField, SearchedPart | undefined>> = {
  any: 'text',
  from: 'from',
  to: 'to',
  cc: 'cc',
  bcc: 'bcc',
  subject: 'subject',
  body: 'body',
  // There is no key for it.
  filename: undefined,
}

/** All of its words, wherever they stand: between those of a phrase there may be a line break, which no server passes over. */
function containing(field: SearchField, text: string): Possible {
  const part = PARTS[field]
  if (!part) return ALL
  const contains = (word: string): Possible => ({ kind: 'contains', part, text: word })
  return every(
    wordsOf(text).map((spellings) => some(spellings.map((words) => every(words.map(contains))))),
  )
}

/** Printable ASCII within the length of a line, without backslashes, which servers do not all read alike. */
const SEARCHABLE = /^[\x20-\x5b\x5d-\x7e]{1,998}$/

const inHeader = (name: string, text: string): Possible =>
  SEARCHABLE.test(text) ? { kind: 'header', name, text } : ALL
