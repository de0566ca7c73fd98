import { expect, test } from 'vitest'
import { mailToChange } from '../../support/mail-to-change.ts'
import { testRoleMoves } from '../../support/role-moves.ts'

testRoleMoves({ method: 'DELETE', suffix: '', role: 'trash', name: 'Trash' })

test('200: a deleted message is still read, and listed in the trash only', async () => {
  await using mail = await mailToChange()
  const { id } = mail.message
  await mail.ask('DELETE', mail.path)
  const { body } = await mail.ask('DELETE', mail.path)
  const { folder_id } = body as { folder_id: number }
  expect(await (await mail.h.get(mail.path)).json()).toMatchObject({ id, folder_id })
  const list = async (query: string) => (await mail.h.get(`/api/v1/messages${query}`)).json()
  expect(await list('')).toMatchObject({ data: [] })
  expect(await list(`?folder=${folder_id}`)).toMatchObject({ data: [{ id }] })
  expect((await mail.queued()).map(({ kind }) => kind)).toEqual(['create_folder', 'move'])
})
