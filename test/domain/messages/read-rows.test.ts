import { afterAll, expect, test } from 'vitest'
import { listQuery } from '../../../domain/messages/list-query.ts'
import { readMessageRows } from '../../../domain/messages/read-rows.ts'
import { temporaryStore } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'

const database = await temporaryStore()
const { store } = database
afterAll(() => database.remove())

test('raw values are read as drizzle reads them', async () => {
  const make = factories(store, memorySourceStore())
  const inbox = await make.inbox((await make.account()).id)
  await make.message(inbox)
  await make.message(inbox, {
    read: true,
    starred: true,
    labels: ['a', 'b'],
    snoozedUntil: 7,
    source:
      'From: "Ada" <ada@example.org>\r\nTo: b@example.org, c@example.org\r\nCc: d@example.org\r\n' +
      'Reply-To: e@example.org\r\nMessage-ID: <m@x>\r\nIn-Reply-To: <n@x>\r\n\r\nHello.\r\n',
  })
  const query = listQuery(store.read, {
    folder: false,
    unread: undefined,
    starred: undefined,
    since: false,
    from: false,
    to: false,
    subject: false,
    cursor: false,
  })
  const mapped = await query.all({ rows: 10 })
  expect(mapped).toHaveLength(2)
  expect(readMessageRows(await query.values({ rows: 10 }))).toEqual(mapped)
})
