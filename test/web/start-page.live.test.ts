import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { harness } from '../support/harness.ts'
import { isNetworkNote, startBrowser, watch } from './browser.ts'
import { answerWell, failure, list, servePages } from './served-pages.ts'

const TOKEN = 'svc_pat_abcdefgh_0123456789'

const ACCOUNT = {
  name: 'Work',
  email: 'ada@example.org',
  state: 'ok',
  last_sync_at: new Date().toISOString(),
  messages: 1204,
  unread: 17,
  folders: 9,
}

const message = (id: number, more: object = {}) => ({
  id,
  account: 'Work',
  folder_id: 1,
  thread_id: id,
  from: { name: 'Charles Babbage', address: 'charles@example.com' },
  to: [],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: `Letter ${id}`,
  date: new Date(1_760_000_000_000 + id * 60_000).toISOString(),
  size: 1000,
  read: true,
  starred: false,
  answered: false,
  has_attachments: false,
  snippet: 'The engine can do whatever we know how to order it to perform.',
  labels: [],
  ...more,
})

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
  await page.goto(site.url)
  return { page, ...watched }
}

async function openWithToken() {
  const opened = await open()
  await enterToken(opened.page)
  return opened
}

async function enterToken(page: Page, token = TOKEN) {
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Watch' }).click()
}

const section = (page: Page, name: string) => page.getByRole('region', { name })
const answer = (path: string, response: (request: Request) => Response | Promise<Response>) =>
  site.api.answers.set(path, response)
const asked = (path: string) => site.api.requests.filter(({ url }) => url.includes(path))

test('it says that the service answers, its name, its version and the number of accounts', async () => {
  const { page, complaints, requests } = await open()
  await page.getByText('The service answers').first().waitFor()
  await page.getByRole('heading', { level: 1, name: 'Mailbox Automation Service' }).waitFor()
  await page.getByText('svc 0.1.0').waitFor()
  expect(await page.locator('#account-count').textContent()).toBe('1')

  answer('/api/health', () => Response.json({ ok: true, accounts: 2 }))
  await eventually(async () => expect(await page.locator('#account-count').textContent()).toBe('2'))
  expect(complaints).toEqual([])
  expect(requests.filter((url) => !url.startsWith(site.url))).toEqual([])
})

test('it says when the service is gone, keeps what it showed, and recovers by itself', async () => {
  answer('/api/v1/accounts', () => list([ACCOUNT]))
  const { page, complaints } = await openWithToken()
  await section(page, 'Accounts').getByText('Work').waitFor()

  await site.stop()
  await page.locator('#connection[data-state=unreachable]').waitFor()
  await page.getByText('Not reachable. Trying again.').first().waitFor()
  await section(page, 'Accounts').getByText('The service cannot be reached.').waitFor()
  expect(await section(page, 'Accounts').getByText('Work').isVisible()).toBe(true)

  await site.start()
  await page.locator('#connection[data-state=answering]').waitFor()
  await section(page, 'Accounts').getByText('The service cannot').waitFor({ state: 'hidden' })
  expect(complaints.filter((text) => !isNetworkNote(text))).toEqual([])
})

test('accounts and the inbox change while the page is looked at', async () => {
  const syncing = { ...ACCOUNT, state: 'syncing', progress: { done: 300, total: 1204 } }
  answer('/api/v1/accounts', () => list([syncing]))
  answer('/api/v1/messages', () => list([message(1)]))
  const { page, complaints } = await openWithToken()
  await page.getByText('300 of 1,204').waitFor()
  const bar = page.getByRole('progressbar', { name: 'First sync' })
  expect(await bar.evaluate((element: HTMLProgressElement) => element.position)).toBeCloseTo(0.249)
  const inbox = section(page, 'Newest in the inbox')
  expect(await inbox.getByRole('listitem').count()).toBe(1)

  answer('/api/v1/accounts', () => list([ACCOUNT]))
  answer('/api/v1/messages', () => list([message(2, { read: false }), message(1)]))
  await page.getByText('Letter 2').waitFor()
  await page.getByText('Up to date').waitFor()
  expect(await bar.isVisible()).toBe(false)
  expect(await inbox.getByRole('listitem').first().textContent()).toMatch(/Unread.*Letter 2/s)
  const weight = await page.getByText('Letter 2').evaluate((e) => getComputedStyle(e).fontWeight)
  expect(weight).toBe('700')
  await page
    .locator('#announcer', { hasText: 'New in the inbox: 1' })
    .waitFor({ state: 'attached' })
  expect(complaints).toEqual([])
})

test('it reads the API as the handlers answer it', async () => {
  await using h = await harness()
  const { id: accountId } = await h.make.account({ name: 'Engine' })
  const inbox = await h.make.inbox(accountId)
  const source = 'From: Ada <ada@example.org>\r\nSubject: The first\r\n\r\nNote G.\r\n'
  await h.make.message(inbox, { source })
  for (const path of site.api.answers.keys()) answer(path, (request) => h.api.fetch(request))

  const { page, complaints } = await open()
  await enterToken(page, h.secret)
  await section(page, 'Accounts').getByText('Engine').waitFor()
  await section(page, 'Newest in the inbox').getByText('The first').waitFor()
  await h.make.message(inbox, { source: source.replace('first', 'second') })
  await page.getByText('The second').waitFor()
  expect(complaints).toEqual([])
})

test("an account's error is shown in the words of its server", async () => {
  const error = 'NO [AUTHENTICATIONFAILED] Authentication failed. <b>x</b>'
  answer('/api/v1/accounts', () => list([{ ...ACCOUNT, state: 'error', error }]))
  const { page } = await openWithToken()
  await section(page, 'Accounts').getByText(error, { exact: true }).waitFor()
})

test('mail that holds markup is shown as text', async () => {
  const subject = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
  const from = { name: '"><svg onload=document.title=1>', address: 'x@example.com' }
  answer('/api/v1/messages', () => list([message(1, { subject, from, snippet: subject })]))
  const { page, complaints, requests } = await openWithToken()
  const inbox = section(page, 'Newest in the inbox')
  await inbox.getByText(from.name, { exact: true }).waitFor()
  expect(await inbox.getByText(subject, { exact: true }).count()).toBe(2)
  expect(await inbox.locator('img, script, svg').count()).toBe(0)
  expect(await page.title()).toBe('svc')
  expect(complaints).toEqual([])
  expect(requests.filter((url) => url.endsWith('/x'))).toEqual([])
})

test('the token goes into the session storage only, with requests to this service, and can be removed', async () => {
  const { page, requests } = await openWithToken()
  await page.locator('#token-label', { hasText: 'first look' }).waitFor()
  await eventually(async () => expect(asked('/v1/messages').length).toBeGreaterThan(0))
  for (const request of asked('/v1/messages'))
    expect(request.headers.get('authorization')).toBe(`Bearer ${TOKEN}`)
  expect(requests.filter((url) => url.includes(TOKEN))).toEqual([])
  const kept = () => page.evaluate(() => [JSON.stringify(sessionStorage), localStorage.length])
  expect(await kept()).toEqual([JSON.stringify({ token: TOKEN }), 0])
  expect(await page.content()).not.toContain(TOKEN)

  await page.reload()
  await page.locator('#token-label', { hasText: 'first look' }).waitFor()
  await page.getByRole('button', { name: 'Remove the token' }).click()
  await page.getByLabel('Token').waitFor()
  expect(await kept()).toEqual(['{}', 0])
  expect(await page.locator('#accounts').isVisible()).toBe(false)
})

test('401 ends the watching, forgets the token and says so', async () => {
  answer('/api/v1/messages', () => list([message(1)]))
  const { page } = await openWithToken()
  await page.getByText('Letter 1').waitFor()
  answer('/api/v1/messages', () => failure(401, { message: 'The token is not valid.' }))
  await page.getByText('mistyped, revoked or expired').first().waitFor()
  expect(await page.getByText('Letter 1').count()).toBe(0)
  expect(await page.getByLabel('Token').getAttribute('aria-invalid')).toBe('true')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('what cannot be a token is not sent', async () => {
  const { page } = await open()
  await enterToken(page, 'not a tökén')
  await page.locator('#token-problem', { hasText: 'not look like a token' }).waitFor()
  expect(asked('/v1/tokens/self')).toEqual([])
})

test('403 names the missing scope and leaves the other panel alive', async () => {
  answer('/api/v1/accounts', () =>
    failure(403, { message: 'This token lacks the scope accounts:read.' }),
  )
  answer('/api/v1/messages', () => list([message(1)]))
  const { page } = await openWithToken()
  await section(page, 'Accounts').getByText('lacks the scope accounts:read').waitFor()
  answer('/api/v1/messages', () => list([message(2), message(1)]))
  await page.getByText('Letter 2').waitFor()
  expect(asked('/v1/accounts')).toHaveLength(1)
})

test('402 says what the service says, with the way to the licence page', async () => {
  const details = { url: `${site.url}/licence` }
  answer('/api/v1/accounts', () => failure(402, { message: 'The trial has ended.', details }))
  const { page } = await openWithToken()
  const accounts = section(page, 'Accounts')
  await accounts.getByText('The trial has ended.').waitFor()
  expect(await accounts.getByRole('link').getAttribute('href')).toBe(details.url)
})

test('429 waits as long as Retry-After says, then goes on', async () => {
  const headers = { 'Retry-After': '6' }
  answer('/api/v1/messages', () => failure(429, { message: 'Over the limit.', headers }))
  const { page } = await openWithToken()
  const inbox = section(page, 'Newest in the inbox')
  await inbox.getByText(/Over the limit\. Going on at \d/).waitFor()
  const refusedAt = performance.now()
  answer('/api/v1/messages', () => list([message(1)]))
  await page.getByText('Letter 1').waitFor()
  expect(performance.now() - refusedAt).toBeGreaterThan(5_000)
  expect(asked('/v1/messages')).toHaveLength(2)
  expect(await inbox.getByText('Over the limit').isVisible()).toBe(false)
})

test('everything has a name, a place and enough contrast, and can be reached by the keyboard', async () => {
  answer('/api/v1/accounts', () => list([ACCOUNT]))
  answer('/api/v1/messages', () => list([message(1, { read: false })]))
  const { page } = await openWithToken()
  await page.getByText('Letter 1').waitFor()
  for (const role of ['banner', 'main', 'navigation'] as const)
    expect(await page.getByRole(role).count()).toBe(1)
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  await page.getByRole('table', { name: 'Accounts' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')

  for (const element of await page.locator('button:visible, a, input:visible').all())
    expect(await element.ariaSnapshot()).toMatch(/"[^"]+"/)

  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Remove')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await page.evaluate(faintTexts), colorScheme).toEqual([])
  }
})

test('on a narrow screen nothing is cut off sideways', async () => {
  const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(4)
  answer('/api/v1/accounts', () => list([{ ...ACCOUNT, name: long, state: 'error', error: long }]))
  answer('/api/v1/messages', () => list([message(1, { subject: long })]))
  const { page } = await openWithToken()
  await section(page, 'Newest in the inbox').getByText(long).waitFor()
  await page.setViewportSize({ width: 340, height: 800 })
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  expect(await page.evaluate(overflow)).toBe(0)
})

/** Runs in the page: texts with less contrast than WCAG 2 AA asks of small text, against what they stand on. */
function faintTexts(): string[] {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!canvas) throw new Error('There is no canvas.')
  const luminance = (layers: string[]) => {
    for (const layer of layers) {
      canvas.fillStyle = layer
      canvas.fillRect(0, 0, 1, 1)
    }
    const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) =>
      value <= 10 ? value / 3_294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const faint: string[] = []
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.nodeValue?.trim(),
    )
    if (!hasText || !element.checkVisibility() || element.closest('.visually-hidden, .skip'))
      continue
    const backgrounds: string[] = []
    for (let at: Element | null = element; at; at = at.parentElement)
      backgrounds.unshift(getComputedStyle(at).backgroundColor)
    const under = luminance(backgrounds)
    const over = luminance([...backgrounds, getComputedStyle(element).color])
    const ratio = (Math.max(under, over) + 0.05) / (Math.min(under, over) + 0.05)
    if (ratio < 4.5) faint.push(`${element.textContent?.trim()} ${ratio.toFixed(2)}`)
  }
  return faint
}
