import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import { openFileStore } from '../../runtime/node/file-store.ts'
import { eventually } from '../support/eventually.ts'
import { serviceWithMail } from '../support/service-with-mail.ts'
import { startSvc } from '../support/svc.ts'

const mail = (n: number) =>
  `From: grace@example.org\r\nSubject: ${n}\r\nMessage-ID: <${n}@example.org>\r\n\r\nText ${n}.\r\n`

const MESSAGES = 1_500

test('a removal whose process is killed is finished by the service, and leaves nothing', async () => {
  const { client, dataDir, get, svc } = await serviceWithMail([mail(0)])
  await svc('account', 'set', 'Ada', '--transcript', 'on')
  for (let n = 1; n < MESSAGES; n += 1) await client.append('INBOX', mail(n))
  const store = openFileStore(pathToFileURL(join(dataDir, 'svc.db')).href)
  onTestFinished(() => store.close())
  const left = async () => (await store.read.select({ id: messages.id }).from(messages)).length
  await eventually(async () => expect(await left()).toBe(MESSAGES), 60_000)
  expect(existsSync(join(dataDir, 'transcripts', '1.log'))).toBe(true)

  const unasked = await svc('account', 'remove', 'Ada')
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  const removal = startSvc(['account', 'remove', 'Ada', '--yes'], {
    env: { SVC_DATA_DIR: dataDir },
  })
  await eventually(async () => expect(await left()).toBeLessThan(MESSAGES), 30_000, 5)
  removal.process.kill('SIGKILL')
  await removal.ended
  expect(await left()).toBeGreaterThan(0)
  expect(JSON.parse((await svc('account', 'list', '--json')).stdout)).toEqual([])
  expect(await (await get('/folders')).json()).toMatchObject({ data: [] })

  await eventually(async () => expect(await store.read.select().from(accounts)).toEqual([]), 30_000)
  expect(await left()).toBe(0)
  expect(await store.read.select().from(contents)).toEqual([])
  const kept = readdirSync(join(dataDir, 'sources'), { recursive: true }).map(String)
  expect(kept.filter((name) => name.endsWith('.zst'))).toEqual([])
  expect(readdirSync(join(dataDir, 'transcripts'))).toEqual([])
})
