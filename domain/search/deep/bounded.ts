import type { SearchCriterion } from '../../../runtime/ports/search-criterion.ts'
import { ALL, every } from './possible.ts'

/** What every server takes in one command, in bytes (RFC 7162 section 4). */
const COMMAND_BYTES_MAX = 8_000
/** What a key and its punctuation take. */
const KEY_BYTES = 16

/** A criterion that a command can hold: true of all that the given one is true of. */
export function bounded(criterion: SearchCriterion): SearchCriterion {
  return cut(criterion, COMMAND_BYTES_MAX)
}

function cut(criterion: SearchCriterion, bytesMax: number): SearchCriterion {
  if (bytesOf(criterion) <= bytesMax) return criterion
  if (criterion.kind !== 'and') return ALL
  let left = bytesMax
  const kept: SearchCriterion[] = []
  for (const member of criterion.of) {
    const bytes = bytesOf(member)
    if (bytes > left) continue
    left -= bytes
    kept.push(member)
  }
  const all = every(kept)
  return all === 'none' ? ALL : all
}

/** As good as: what is counted twice or not at all is small beside the limit. */
function bytesOf(criterion: SearchCriterion): number {
  const { kind } = criterion
  if (kind === 'and' || kind === 'or')
    return criterion.of.reduce((sum, member) => sum + bytesOf(member) + KEY_BYTES, 0)
  if (kind === 'not') return KEY_BYTES + bytesOf(criterion.of)
  return KEY_BYTES + textsOf(criterion).reduce((sum, text) => sum + utf8Bytes(text), 0)
}

function textsOf(criterion: SearchCriterion): readonly string[] {
  if (criterion.kind === 'contains') return [criterion.text]
  if (criterion.kind === 'header') return [criterion.name, criterion.text]
  if (criterion.kind === 'keyword') return [criterion.keyword]
  return criterion.kind === 'gmail_label' ? [criterion.label, criterion.label] : []
}

const encoder = new TextEncoder()
const utf8Bytes = (text: string) => encoder.encode(text).length
