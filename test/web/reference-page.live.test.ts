import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openApiDocument } from '../../handlers/openapi/document.ts'
import { startBrowser, watch } from './browser.ts'
import { answerWell, list, servePages } from './served-pages.ts'

const TOKEN = 'svc_pat_abcdefgh_0123456789'

let browser: Browser
let site: Awaited<ReturnType<typeof servePages>>

beforeAll(async () => {
  ;[browser, site] = await Promise.all([startBrowser(), servePages()])
})
afterAll(async () => {
  await browser?.close()
  await site?.end()
})
beforeEach(() => answerWell(site.api))

async function open() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const watched = await watch(page)
  await page.goto(`${site.url}/reference.html`)
  await page.getByRole('heading', { name: 'Mailbox Automation Service' }).waitFor()
  return { page, ...watched }
}

test('the reference shows every operation, under its policy, and asks only this service', async () => {
  const { page, complaints, requests } = await open()
  const operations = Object.values(openApiDocument().paths ?? {}).flatMap(Object.values)
  expect(operations.length).toBeGreaterThan(5)
  for (const { summary } of operations)
    expect(await page.getByRole('link', { name: summary }).count(), summary).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'List messages' }).first().click()
  await page.getByRole('heading', { name: 'List messages' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(complaints).toEqual([])
  expect(requests.filter((url) => !url.startsWith(`${site.url}/`))).toEqual([])
  expect(requests).toContain(`${site.url}/api/v1/openapi.json`)
})

test('a request tried from the reference goes to this service with the token, which is kept nowhere', async () => {
  const subject = '<img src=x onerror="document.title=1">'
  site.api.answers.set('/api/v1/messages', () => list([{ id: 1, subject }]))
  const { page, complaints, requests } = await open()
  await page.getByPlaceholder('Token').first().fill(TOKEN)
  await page.getByRole('link', { name: 'List messages' }).first().click()
  await page.getByRole('button', { name: /Test Request.*\/v1\/messages\)/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send get/ })
    .click()
  await page.getByRole('dialog').getByText('onerror').first().waitFor()

  const [tried] = site.api.requests.filter(({ url }) => url.includes('/api/v1/messages'))
  expect(tried?.headers.get('authorization')).toBe(`Bearer ${TOKEN}`)
  expect(await page.title()).not.toBe('1')
  expect(requests.filter((url) => !url.startsWith(`${site.url}/`))).toEqual([])
  expect(complaints).toEqual([])
  const kept = await page.evaluate(async () =>
    JSON.stringify([localStorage, sessionStorage, document.cookie, await indexedDB.databases()]),
  )
  expect(kept).toBe(JSON.stringify([{}, {}, '', []]))
})
