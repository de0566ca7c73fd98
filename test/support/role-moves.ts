import { describe, expect, test } from 'vitest'
import { mailToChange, refusal } from './mail-to-change.ts'

interface RoleMove {
  readonly method: 'POST' | 'DELETE'
  /** What follows the path of the message. */
  readonly suffix: string
  readonly role: 'archive' | 'spam' | 'trash'
  /** The name of a folder made for it. */
  readonly name: string
}

/** What holds for each endpoint that moves a message to the folder of a role. */
export function testRoleMoves({ method, suffix, role, name }: RoleMove): void {
  const mailAnd = async (...paths: readonly string[]) => {
    const mail = await mailToChange()
    for (const path of paths) await mail.h.make.folder(mail.account.id, { path })
    const move = () => mail.ask(method, `${mail.path}${suffix}`)
    return { ...mail, move }
  }

  describe('200', () => {
    test(`into the folder that is the account's ${role}, whatever its name`, async () => {
      await using mail = await mailAnd()
      const { h, account, message, inbox } = mail
      const target = await h.make.folder(account.id, { path: 'Elsewhere', specialUse: role })
      await h.make.folder((await h.make.account()).id, { specialUse: role })
      expect(await mail.move()).toEqual({
        status: 200,
        body: { status: 'ok', folder_id: target.id },
      })
      expect(await mail.rows()).toMatchObject([
        { id: message.id, folderId: target.id, inInbox: false, serverFolderId: inbox.id, uid: 7 },
      ])
      expect(await mail.queued()).toEqual([
        { messageId: message.id, kind: 'move', change: { folderId: target.id } },
      ])
      expect(await mail.changesTold()).toEqual([
        ['message.updated', message.id, 'moved', 'svc', 'Elsewhere'],
      ])
    })

    test('a message that is there already stays there: nothing is queued and nothing told', async () => {
      await using mail = await mailAnd()
      const { h, account } = mail
      const target = await h.make.folder(account.id, { specialUse: role })
      const there = await h.make.message(target)
      const before = await mail.everything()
      expect(await mail.ask(method, `/api/v1/messages/${there.id}${suffix}`)).toEqual({
        status: 200,
        body: { status: 'ok', folder_id: target.id },
      })
      expect(await mail.everything()).toEqual(before)
    })

    test('a folder that is missing is made at once, and on the server ahead of the move', async () => {
      await using mail = await mailAnd('Lists')
      const { message } = mail
      const answer = await mail.move()
      const made = (await mail.folders()).find(({ path }) => path === name)
      expect(made).toMatchObject({
        accountId: mail.account.id,
        path: name,
        delimiter: '/',
        specialUse: role,
        selectable: true,
        listed: false,
        total: 1,
      })
      expect(answer).toEqual({ status: 200, body: { status: 'ok', folder_id: made?.id } })
      expect(await mail.queued()).toEqual([
        { messageId: null, kind: 'create_folder', change: { folderId: made?.id } },
        { messageId: message.id, kind: 'move', change: { folderId: made?.id } },
      ])
      expect(await mail.changesTold()).toEqual([
        ['message.updated', message.id, 'moved', 'svc', name],
      ])
      const tree = await (await mail.h.get('/api/v1/folders')).json()
      expect(JSON.stringify(tree)).toContain(`"special_use":"${role}"`)
    })

    test('it is made once', async () => {
      await using mail = await mailAnd()
      await mail.move()
      const second = await mail.h.make.message(mail.inbox)
      await mail.ask(method, `/api/v1/messages/${second.id}${suffix}`)
      await mail.move()
      expect((await mail.queued()).map(({ kind }) => kind)).toEqual([
        'create_folder',
        'move',
        'move',
      ])
      expect(await mail.folders()).toHaveLength(2)
    })

    test('and below INBOX where all folders are', async () => {
      await using mail = await mailAnd('INBOX/Lists', 'INBOX/Sent')
      await mail.move()
      expect((await mail.folders()).at(-1)).toMatchObject({ path: `INBOX/${name}` })
    })
  })

  test('403 without mail:modify, and nothing is changed', async () => {
    await using mail = await mailToChange({ scopes: ['mail:read', 'mail:send'] })
    const before = await mail.everything()
    expect(await mail.ask(method, `${mail.path}${suffix}`)).toEqual(
      refusal(403, 'insufficient_scope'),
    )
    expect(await mail.everything()).toEqual(before)
  })

  test.each(['4711', '0', 'x'])('404: no message %s, and no folder is made', async (id) => {
    await using mail = await mailAnd()
    const before = await mail.everything()
    expect(await mail.ask(method, `/api/v1/messages/${id}${suffix}`)).toEqual(
      refusal(404, 'not_found'),
    )
    expect(await mail.everything()).toEqual(before)
  })
}
