import { describe, expect, test } from 'vitest'
import { folderOfRole } from '../../../domain/folders/folder-of-role.ts'
import { type MailToChange, mailToChange } from '../../support/mail-to-change.ts'

const find = (
  { h, account }: MailToChange,
  role: 'archive' | 'spam' | 'trash' = 'archive',
  accountId = account.id,
) => h.runtime.store.transaction((tx) => folderOfRole(tx, { accountId, role, nowMs: 5 }))

describe('a folder that there is', () => {
  test('is taken, and nothing queued', async () => {
    await using mail = await mailToChange()
    const spam = await mail.h.make.folder(mail.account.id, { specialUse: 'spam' })
    expect(await find(mail, 'spam')).toBe(spam.id)
    expect(await mail.queue()).toEqual([])
  })

  test('of another account is not', async () => {
    await using mail = await mailToChange()
    const other = await mail.h.make.account()
    const foreign = await mail.h.make.folder(other.id, { specialUse: 'trash', path: 'Trash' })
    const made = await find(mail, 'trash')
    expect(made).not.toBe(foreign.id)
    expect(await find(mail, 'trash', other.id)).toBe(foreign.id)
    expect(await mail.queue()).toMatchObject([
      { accountId: mail.account.id, messageId: null, kind: 'create_folder', createdAt: 5 },
    ])
  })
})

describe('a folder that is made', () => {
  test.each([
    ['archive', 'Archive'],
    ['spam', 'Junk'],
    ['trash', 'Trash'],
  ] as const)('for %s is called %s, and made once', async (role, path) => {
    await using mail = await mailToChange()
    const id = await find(mail, role)
    expect(await find(mail, role)).toBe(id)
    expect((await mail.folders()).filter((folder) => folder.path === path)).toMatchObject([
      { id, specialUse: role, selectable: true, listed: false, synced: false },
    ])
    expect(await mail.queued()).toEqual([
      { messageId: null, kind: 'create_folder', change: { folderId: id } },
    ])
  })

  test.each([
    ['/', ['Lists', 'Sent'], 'Archive'],
    ['/', ['INBOX/Lists', 'INBOX/Sent'], 'INBOX/Archive'],
    ['.', ['INBOX.Lists'], 'INBOX.Archive'],
    ['.', ['INBOX.Lists', 'Sent'], 'Archive'],
    ['.', ['INBOXES.Lists'], 'Archive'],
    ['/', [], 'Archive'],
  ])('with %j beside %j: %s', async (delimiter, paths, expected) => {
    await using mail = await mailToChange()
    const account = await mail.h.make.account()
    await mail.h.make.folder(account.id, { path: 'INBOX', specialUse: 'inbox', delimiter })
    for (const path of paths) await mail.h.make.folder(account.id, { path, delimiter })
    const id = await find(mail, 'archive', account.id)
    expect((await mail.folders()).find((folder) => folder.id === id)).toMatchObject({
      path: expected,
      delimiter,
    })
  })

  test('where an account has no folders yet, or a flat namespace', async () => {
    await using mail = await mailToChange()
    const empty = await mail.h.make.account()
    const flat = await mail.h.make.account()
    await mail.h.make.folder(flat.id, { path: 'INBOX', specialUse: 'inbox', delimiter: null })
    await mail.h.make.folder(flat.id, { path: 'INBOXlists', delimiter: null })
    for (const { id: accountId } of [empty, flat]) {
      const id = await find(mail, 'archive', accountId)
      expect((await mail.folders()).find((folder) => folder.id === id)).toMatchObject({
        path: 'Archive',
        delimiter: null,
      })
    }
  })

  test('takes the place of a container of its name', async () => {
    await using mail = await mailToChange()
    const { h, account } = mail
    const container = await h.make.folder(account.id, { path: 'Archive', selectable: false })
    expect(await find(mail)).toBe(container.id)
    expect((await mail.folders()).at(-1)).toMatchObject({ specialUse: 'archive', selectable: true })
    expect((await mail.queued()).map(({ kind }) => kind)).toEqual(['create_folder'])
  })
})
