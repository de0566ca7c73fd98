import { describe, expect, test } from 'vitest'
import type { Folder } from '../../../domain/sync/folder.ts'
import { renamedFolders } from '../../../domain/sync/renamed-folders.ts'
import type { Mailbox } from '../../../runtime/ports/mail-server.ts'

const folder = (path: string, state: Partial<Folder> = {}): Folder => ({
  id: 1,
  accountId: 1,
  path,
  delimiter: '/',
  specialUse: null,
  selectable: true,
  listed: true,
  synced: false,
  mailboxId: null,
  uidValidity: '100',
  uidNext: 5,
  highestModseq: null,
  syncedDownToUid: 0,
  firstSyncedAt: 0,
  total: 4,
  unread: 0,
  ...state,
})

const mailbox = (
  path: string,
  uidValidity: bigint,
  { uidNext = 5, mailboxId = '' } = {},
): Mailbox => ({
  path,
  delimiter: '/',
  specialUseDeclared: false,
  selectable: true,
  status: { uidValidity, uidNext, exists: 4 },
  ...(mailboxId !== '' && { mailboxId }),
})

const inbox = mailbox('INBOX', 1n)

test('the same UIDVALIDITY under another name is the same folder, also when mail came meanwhile', () => {
  const gone = folder('Plan')
  const fresh = mailbox('Überblick', 100n, { uidNext: 9 })
  expect(renamedFolders({ gone: [gone], fresh: [fresh], listed: [inbox, fresh] })).toEqual(
    new Map([[gone, fresh]]),
  )
})

test('a lower UIDNEXT is another mailbox', () => {
  const fresh = mailbox('Other', 100n, { uidNext: 4 })
  expect(
    renamedFolders({ gone: [folder('Plan')], fresh: [fresh], listed: [inbox, fresh] }),
  ).toEqual(new Map())
})

test('where mailboxes share their UIDVALIDITY, it tells nothing', () => {
  const fresh = mailbox('Other', 1n)
  const gone = folder('Plan', { uidValidity: '1' })
  expect(renamedFolders({ gone: [gone], fresh: [fresh], listed: [inbox, fresh] })).toEqual(
    new Map(),
  )
})

test('two folders that went under one UIDVALIDITY have no match', () => {
  const fresh = mailbox('Other', 100n)
  const gone = [folder('A'), folder('B', { id: 2 })]
  expect(renamedFolders({ gone: gone, fresh: [fresh], listed: [inbox, fresh] })).toEqual(new Map())
})

test('MAILBOXID decides alone where both have one', () => {
  const gone = folder('Plan', { mailboxId: 'F1' })
  const same = mailbox('Renamed', 7n, { mailboxId: 'F1' })
  const lookalike = mailbox('Lookalike', 100n, { mailboxId: 'F2' })
  expect(
    renamedFolders({ gone: [gone], fresh: [lookalike, same], listed: [inbox, lookalike, same] }),
  ).toEqual(new Map([[gone, same]]))
})

describe('where a renamed mailbox has a new UIDVALIDITY', () => {
  const gone = [folder('Plan'), folder('Plan/Part', { id: 2, uidValidity: '101' })]
  const renamed = [mailbox('Neu', 200n), mailbox('Neu/Part', 201n)] as const

  test('a tree of the same shape and size in the place of another is that tree', () => {
    expect(renamedFolders({ gone: gone, fresh: renamed, listed: [inbox, ...renamed] })).toEqual(
      new Map([
        [gone[0], renamed[0]],
        [gone[1], renamed[1]],
      ]),
    )
  })

  test.each([
    ['of another shape', [mailbox('Neu', 200n), mailbox('Neu/Other', 201n)]],
    ['of two trees', [mailbox('Neu', 200n), mailbox('Part', 201n)]],
    ['with a folder more', [...renamed, mailbox('Neu/Part/Deeper', 202n)]],
    [
      'with fewer messages',
      [renamed[0], { ...renamed[1], status: { uidValidity: 201n, uidNext: 2, exists: 1 } }],
    ],
  ])('one %s is not', (_how, fresh) => {
    expect(renamedFolders({ gone: gone, fresh: fresh, listed: [inbox, ...fresh] })).toEqual(
      new Map(),
    )
  })
})
