import { expect, test } from 'vitest'
import { adoptionOf } from '../../../../domain/drafts/adoption/decide.ts'
import type { Draft } from '../../../../domain/drafts/draft-record.ts'

const DRAFT: Draft = {
  id: 1,
  accountId: 1,
  kind: 'new',
  from: null,
  replyTo: [],
  to: '',
  cc: '',
  bcc: '',
  subject: '',
  body: '',
  mode: 'plain',
  inReplyTo: null,
  inReplyToHeader: null,
  references: [],
  messageIdHeader: 'x@example.org',
  revision: 2,
  publishedRevision: 2,
  appendingRevision: null,
  publishDueAt: null,
  unpublishedSince: null,
  publishAttempts: 0,
  publishError: null,
  copyMissedAt: null,
  removedAt: null,
  updatedAt: 1_000,
}
const COPY = { uid: 7, internalDate: 2_000 }
const KNOWN = {
  draft: DRAFT,
  isBeingSent: false,
  tiedUid: undefined,
  isSame: false,
  hasWaited: false,
}
const edited = { ...DRAFT, revision: 3 }

test.each([
  ['nobody here knows it', COPY, { ...KNOWN, draft: undefined }, 'new'],
  ['it replaces what was published', COPY, KNOWN, 'follow'],
  ['however long it waited for that', COPY, { ...KNOWN, hasWaited: true }, 'follow'],
  ['what was published has not gone yet', COPY, { ...KNOWN, tiedUid: 6 }, 'wait'],
  ['and does not go', COPY, { ...KNOWN, tiedUid: 6, hasWaited: true }, 'new'],
  ['and says the same', COPY, { ...KNOWN, tiedUid: 6, isSame: true }, 'same'],
  ['and both have written', COPY, { ...KNOWN, draft: edited, tiedUid: 6 }, 'wait'],
  ['it is older than what was published', COPY, { ...KNOWN, tiedUid: 8 }, 'new'],
  ['both have written, it later', COPY, { ...KNOWN, draft: edited }, 'keep_theirs'],
  [
    'both have written, it earlier',
    { ...COPY, internalDate: 1_000 },
    { ...KNOWN, draft: edited },
    'keep_ours',
  ],
  ['ours is on its way', COPY, { ...KNOWN, draft: { ...edited, appendingRevision: 3 } }, 'wait'],
  ['ours is being sent', COPY, { ...KNOWN, isBeingSent: true }, 'wait'],
  ['ours was deleted', COPY, { ...KNOWN, draft: { ...DRAFT, removedAt: 1 } }, 'wait'],
] as const)('%s: %j', (...[, copy, known, adoption]) => {
  expect(adoptionOf(copy, known)).toBe(adoption)
})
