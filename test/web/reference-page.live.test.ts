import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startBrowser, watch } from './browser.ts'
import { answerWell, servePages } from './served-pages.ts'

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
  for (const summary of ['List the accounts', 'List messages', 'Whether the service is up']) {
    await page.getByRole('link', { name: summary }).first().click()
    await page.getByRole('heading', { name: summary }).waitFor()
  }
  await page.waitForLoadState('networkidle')
  expect(complaints).toEqual([])
  expect(requests.filter((url) => !url.startsWith(`${site.url}/`))).toEqual([])
  expect(requests).toContain(`${site.url}/api/v1/openapi.json`)
})
