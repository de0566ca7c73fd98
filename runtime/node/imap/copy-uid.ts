import type { ImapAttribute, ImapResponse } from 'imapflow'
import { getStatusCode, iterateRange } from 'imapflow/lib/tools.js'
import type { Relocated } from '../../ports/mail-server.ts'

const UID_SET = /^\d{1,10}(:\d{1,10})?(,\d{1,10}(:\d{1,10})?)*$/

/** Gathers where messages went from the COPYUIDs of one or more commands; believes only what it says of `asked`. */
export function copyUids(asked: readonly number[]) {
  const wanted = new Set(asked)
  const uids = new Map<number, number>()
  const uidValidities = new Set<bigint>()
  return {
    hear(ok: ImapResponse) {
      if (getStatusCode(ok) !== 'COPYUID') return
      const [, uidValidity, from, to] = ok.attributes?.[0]?.section ?? []
      const pairs = paired(text(from), text(to), wanted.size)
      if (!/^\d{1,10}$/.test(text(uidValidity)) || !pairs) return
      uidValidities.add(BigInt(text(uidValidity)))
      for (const [source, copy] of pairs) if (wanted.has(source)) uids.set(source, copy)
    },
    /** Undefined where nothing was heard, or of more than one mailbox, as when it was made anew in between. */
    relocated(): Relocated | undefined {
      const [uidValidity] = uidValidities
      return uidValidity === undefined || uidValidities.size > 1 ? undefined : { uidValidity, uids }
    },
  }
}

/** Whether every range goes up: of one that goes down nobody knows which message is where. */
const isPlain = (set: string) =>
  UID_SET.test(set) &&
  set.split(',').every((range) => {
    const [from = 0, to = from] = range.split(':').map(Number)
    return from <= to
  })

/** Undefined unless both sets have the same number of UIDs, at most `countMax`: a few bytes can name four thousand million. */
function paired(from: string, to: string, countMax: number): [number, number][] | undefined {
  if (!isPlain(from) || !isPlain(to)) return undefined
  const copies = iterateRange(to)
  const pairs: [number, number][] = []
  for (const source of iterateRange(from)) {
    const { value: copy } = copies.next()
    if (copy === undefined || pairs.length === countMax) return undefined
    pairs.push([source, copy])
  }
  return copies.next().done ? pairs : undefined
}

const text = (attribute: ImapAttribute | undefined) => String(attribute?.value ?? '')
