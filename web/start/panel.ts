import type { Answer, Failure } from './ask.ts'
import { announce, within } from './dom.ts'
import { repeat } from './repeat.ts'

/** Two panels stay well below the default limit of 120 requests a minute. */
export const PANEL_EVERY_MS = 3_000

/** A part of the page that shows what the API answers now. */
export interface Panel<Value> {
  readonly section: HTMLElement
  readonly read: () => Promise<Answer<Value>>
  readonly show: (value: Value) => void
}

/** Keeps a panel up to date until `signal` aborts. Returns why the token was refused, if it was. */
export async function watchPanel<Value>(
  { section, read, show }: Panel<Value>,
  signal: AbortSignal,
): Promise<string | undefined> {
  let refused: string | undefined
  section.hidden = false
  section.dataset['state'] = 'waiting'
  await repeat(async () => {
    const answer = await read()
    if (signal.aborted) return undefined
    showNotice(section, answer.ok ? undefined : answer)
    if (answer.ok) {
      section.dataset['state'] = 'live'
      show(answer.value)
      return PANEL_EVERY_MS
    }
    if (answer.isRefused) refused = answer.words
    // What was read before stays, dimmed.
    if (section.dataset['state'] === 'live') section.dataset['state'] = 'stale'
    return answer.retryAfterMs
  }, signal)
  return refused
}

/** Empties a panel and takes it off the page. */
export function clearPanel(section: HTMLElement): void {
  section.hidden = true
  within(section, '.rows').replaceChildren()
  showEmpty(section, false)
  showNotice(section, undefined)
}

/** Shows the words for an empty list instead of the list. */
export function showEmpty(section: HTMLElement, isEmpty: boolean): void {
  within(section, '.empty').hidden = !isEmpty
  within(section, '.content').hidden = isEmpty
}

function showNotice(section: HTMLElement, failure: Failure | undefined): void {
  const notice = within(section, '.notice')
  const words = failure?.words ?? ''
  notice.hidden = words === ''
  if (words === (notice.dataset['words'] ?? '')) return
  notice.dataset['words'] = words
  notice.textContent = words
  const link = linkTo(failure?.url)
  if (link) notice.append(' ', link)
  if (words !== '') announce(words)
}

/** A link to a web page; undefined for anything else. */
function linkTo(url: string | undefined): HTMLAnchorElement | undefined {
  if (url === undefined || !/^https?:\/\//.test(url)) return undefined
  const link = document.createElement('a')
  link.href = url
  link.textContent = 'To the licence page'
  return link
}
