import { chromium, type Page } from 'playwright-core'

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const startBrowser = () =>
  chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS })

/** What went on in a page that nobody may see. */
export interface Watch {
  readonly requests: string[]
  readonly complaints: string[]
}

/** Records every request of a page and every complaint: console, script errors, policy violations. */
export async function watch(page: Page): Promise<Watch> {
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  await page.exposeFunction('reportViolation', (text: string) => complaints.push(text))
  await page.addInitScript(`
    document.addEventListener('securitypolicyviolation', (event) =>
      reportViolation(event.violatedDirective + ' ' + event.blockedURI))
  `)
  return { requests, complaints }
}

/** Chromium writes a line for each answer that is not a success, whatever the page does about it. */
export const isNetworkNote = (complaint: string) => complaint.startsWith('Failed to load resource')
