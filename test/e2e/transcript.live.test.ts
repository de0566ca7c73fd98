import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { serviceWithMail } from '../support/service-with-mail.ts'

const PASSWORD = 'Tr0ub4dor & 3'

const SOURCE = [
  'From: grace@example.org',
  'Subject: for your eyes only',
  'Message-ID: <secret@example.org>',
  '',
  'The key is under the mat.',
  '',
].join('\r\n')

test('a transcript holds both connections of its account, and neither password nor mail', async () => {
  const { client, dataDir, ids, get, svc, user } = await serviceWithMail([SOURCE], {
    password: PASSWORD,
  })
  const file = join(dataDir, 'transcripts', '1.log')
  const read = () => readFileSync(file, 'utf8')
  const shown = async (count: number) => {
    const { data } = (await (await get('/messages')).json()) as { data: unknown[] }
    expect(data).toHaveLength(count)
  }
  expect(existsSync(join(dataDir, 'transcripts'))).toBe(false)

  expect(await svc('account', 'set', 'Ada', '--transcript', 'on')).toMatchObject({ code: 0 })
  const { stdout } = await svc('account', 'list', '--json')
  expect(JSON.parse(stdout)).toMatchObject([{ transcript: true }])
  await client.append('INBOX', SOURCE.replace('secret@', 'second@'))
  await eventually(async () => expect(read()).toMatch(/< .* FETCH .*BODY\[\] \{\d+ bytes\}/))
  expect(read()).toMatch(/> \S+ (LOGIN|AUTHENTICATE PLAIN) \*\*\*/)
  expect(read()).toMatch(/> \S+ IDLE/)

  await eventually(() => shown(2))
  rmSync(join(dataDir, 'sources'), { recursive: true })
  expect((await get(`/messages/${ids[0]}/raw`)).status).toBe(200)
  const connections = new Set(
    [...read().matchAll(/^\S+ (\S+) /gm)].map(([, connection]) => connection),
  )
  expect(connections.size).toBe(2)

  const base64 = (text: string) => Buffer.from(text).toString('base64')
  for (const secret of [
    PASSWORD,
    base64(PASSWORD),
    base64(`\0${user.user}\0${PASSWORD}`),
    base64(`${user.user}\0${user.user}\0${PASSWORD}`),
    'for your eyes',
    'under the mat',
  ])
    expect(read()).not.toContain(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  expect(await svc('account', 'set', 'Ada', '--transcript', 'off')).toMatchObject({ code: 0 })
  rmSync(join(dataDir, 'sources'), { recursive: true })
  expect((await get(`/messages/${ids[0]}/raw`)).status).toBe(200)
  await eventually(async () => expect(read().match(/< \S+ OK Logout/g)).toHaveLength(2))
  const size = () => statSync(file).size
  const ended = size()
  await client.append('INBOX', SOURCE.replace('secret@', 'third@'))
  await eventually(() => shown(3))
  expect(size()).toBe(ended)
})
