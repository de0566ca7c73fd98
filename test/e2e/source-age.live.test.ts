import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { serviceWithMail } from '../support/service-with-mail.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const mail = (days: number) => {
  const date = new Date(Date.now() - days * DAY_MS).toUTCString()
  return [
    'From: grace@example.org',
    `Subject: ${days} days old`,
    `Message-ID: <${days}@example.org>`,
    `Date: ${date.replace('GMT', '+0000')}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Written ${days} days ago.`,
    '',
  ].join('\r\n')
}

test('a limit takes old sources off the disk and a raised one brings them back', async () => {
  const sources = [400, 90, 31, 5, 1].map(mail)
  const { dataDir, get, ids, svc } = await serviceWithMail(sources)
  const onDisk = () =>
    readdirSync(join(dataDir, 'sources'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.zst')).length
  expect(onDisk()).toBe(5)
  const raw = async (id: number | undefined) => (await get(`/messages/${id}/raw`)).text()

  expect(await svc('account', 'set', 'Ada', '--keep-sources', '30')).toMatchObject({ code: 0 })
  await eventually(async () => expect(onDisk()).toBe(2), 15_000)
  const { stdout } = await svc('account', 'list', '--json')
  expect(JSON.parse(stdout)).toMatchObject([{ keep_sources_days: 30 }])

  const oldest = ids.at(-1)
  expect(await (await get(`/messages/${oldest}`)).json()).toMatchObject({
    subject: '400 days old',
    body: { text: expect.stringContaining('Written 400 days ago.') },
  })
  expect(onDisk()).toBe(2)
  expect(await raw(oldest)).toBe(sources[0])
  expect(await raw(ids[0])).toBe(sources[4])

  expect(await svc('account', 'set', 'Ada', '--keep-sources', '100')).toMatchObject({ code: 0 })
  await eventually(async () => expect(onDisk()).toBe(4), 15_000)
  expect(await svc('account', 'set', 'Ada', '--keep-sources', 'all')).toMatchObject({ code: 0 })
  await eventually(async () => expect(onDisk()).toBe(5), 15_000)
})

test('an account can be added with a limit', async () => {
  const { get, ids, svc } = await serviceWithMail([400, 5].map(mail), {
    args: ['--keep-sources', '30'],
  })
  const { stdout } = await svc('account', 'list', '--json')
  expect(JSON.parse(stdout)).toMatchObject([{ keep_sources_days: 30 }])
  expect(await (await get(`/messages/${ids[1]}`)).json()).toMatchObject({
    body: { text: expect.stringContaining('Written 400 days ago.') },
  })
})

test('what is no number of days is refused', async () => {
  const { svc } = await serviceWithMail([])
  for (const days of ['0', '-1', '1.5', 'none', '99999']) {
    const { code, stderr } = await svc('account', 'set', 'Ada', `--keep-sources=${days}`)
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/days/)
  }
})
