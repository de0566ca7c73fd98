import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serviceWithMail } from '../support/service-with-mail.ts'

const SOURCE = [
  'From: grace@example.org',
  'To: ada@example.org',
  'Subject: kept twice',
  'Message-ID: <kept@example.org>',
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Only HTML</p>',
  '',
].join('\r\n')

/** A running service that has synced one message. */
async function setUp() {
  const { dovecot, dataDir, get, ids } = await serviceWithMail([SOURCE])
  const loseSources = () => rm(join(dataDir, 'sources'), { recursive: true })
  return { dovecot, get, id: ids[0], loseSources }
}

test('a source that is missing is fetched from its server again and kept', async () => {
  const { dovecot, get, id, loseSources } = await setUp()
  await loseSources()
  const raw = await get(`/messages/${id}/raw`)
  expect(raw.status).toBe(200)
  expect(await raw.text()).toBe(SOURCE)

  await dovecot.stop()
  const detail = await get(`/messages/${id}?body=html`)
  expect(await detail.json()).toMatchObject({
    body: { html: expect.stringContaining('Only HTML') },
  })
})

test('without the server a missing source degrades: the text is answered, the raw message is not', async () => {
  const { dovecot, get, id, loseSources } = await setUp()
  await loseSources()
  await dovecot.stop()
  const raw = await get(`/messages/${id}/raw`)
  expect(raw.status).toBe(502)
  expect(await raw.json()).toMatchObject({ error: { code: 'upstream' } })
  const text = await get(`/messages/${id}`)
  expect(await text.json()).toMatchObject({ body: { text: 'Only HTML' } })
  const html = await get(`/messages/${id}?body=html`)
  expect(html.status).toBe(200)
  expect(await html.json()).toMatchObject({ body_error: expect.any(String) })
})
