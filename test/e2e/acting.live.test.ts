import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { serviceWithMail } from '../support/service-with-mail.ts'
import { smallMail as mail } from '../support/small-mail.ts'

test('a program triages a mailbox over HTTP, and another mail client sees it', async () => {
  const { service, client, ids, svc } = await serviceWithMail([
    mail('one'),
    mail('two'),
    mail('three'),
  ])
  const token = await svc(
    'token',
    'create',
    '--label',
    'triage',
    '--scopes',
    'mail:read mail:modify',
  )
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token.stdout.trim()}`,
        'Content-Type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const [three, two, one] = ids
  const patched = await send('PATCH', `/messages/${one}`, { read: true, labels_add: ['to do'] })
  expect(patched.status).toBe(200)
  expect(await patched.json()).toMatchObject({ id: one, read: true, labels: ['to do'] })
  const archived = await send('POST', `/messages/${two}/archive`)
  expect(await archived.json()).toEqual({ status: 'ok', folder_id: expect.any(Number) })
  const batch = await send('POST', '/messages/batch', { ids: [three, 99_999], move_to: 'trash' })
  expect(await batch.json()).toMatchObject({
    results: [
      { id: three, status: 'ok' },
      { id: 99_999, status: 'error', error: { code: 'not_found' } },
    ],
  })

  const subjectsIn = async (path: string) => {
    const { exists } = await client.mailboxOpen(path)
    const messages = exists > 0 ? await client.fetchAll('1:*', { envelope: true }) : []
    return messages.map(({ envelope }) => envelope?.subject)
  }
  await eventually(async () => {
    expect(await subjectsIn('INBOX')).toEqual(['one'])
    expect(await subjectsIn('Archive')).toEqual(['two'])
    expect(await subjectsIn('Trash')).toEqual(['three'])
  })
  await client.mailboxOpen('INBOX')
  const message = await client.fetchOne('1', { flags: true })
  expect(message && [...(message.flags ?? [])]).toEqual(
    expect.arrayContaining(['\\Seen', 'to&ACA-do']),
  )

  const folders = await svc('account', 'folders', 'Ada', '--watch', 'Archive', '--json')
  expect(JSON.parse(folders.stdout)).toContainEqual({
    id: expect.any(Number),
    path: 'Archive',
    special_use: 'archive',
    synced: true,
  })
  expect(await svc('account', 'folders', 'Ada', '--watch', 'Nowhere')).toMatchObject({
    code: 1,
    stderr: 'svc: There is no folder "Nowhere".\n',
  })
})
