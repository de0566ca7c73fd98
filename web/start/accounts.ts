import { ask, requestOptions } from './ask.ts'
import type { Account, ApiClient } from './client.ts'
import { byId, setText, syncRows, within, type RowKind } from './dom.ts'
import { agoText, countText, fullText } from './format.ts'
import { PANEL_EVERY_MS, showEmpty, type Panel } from './panel.ts'

const STATE_WORDS: Readonly<Record<Account['state'], string>> = {
  syncing: 'Syncing',
  ok: 'Up to date',
  error: 'Error',
  paused: 'Paused',
}

/** Every account, with how its sync stands. */
export function accountsPanel(
  api: ApiClient,
  signal: AbortSignal,
): Panel<{ readonly data: readonly Account[] }> {
  const section = byId('accounts')
  return {
    section,
    read: () => ask(api.v1.accounts.$get({}, requestOptions(signal)), PANEL_EVERY_MS),
    show({ data }) {
      showEmpty(section, data.length === 0)
      syncRows(within(section, '.rows'), data, accountRow)
    },
  }
}

const accountRow: RowKind<Account> = {
  template: 'account-row',
  keyOf: ({ name }) => name,
  fill(field, account) {
    setText(field('name'), account.name)
    setText(field('email'), account.email === account.name ? '' : account.email)
    setText(field('state'), STATE_WORDS[account.state])
    field('state').dataset['state'] = account.state
    setText(field('error'), account.error ?? '')
    setText(field('messages'), countText(account.messages))
    setText(field('unread'), countText(account.unread))
    fillLastSync(field('last-sync'), account.last_sync_at)
    fillProgress(field('progress'), account.progress)
  },
}

function fillLastSync(element: HTMLElement, timestamp: string | undefined): void {
  const date = timestamp === undefined ? undefined : new Date(timestamp)
  setText(element, date ? agoText(date, new Date()) : 'not yet')
  element.title = date ? fullText(date) : ''
  if (timestamp !== undefined) element.setAttribute('datetime', timestamp)
}

function fillProgress(element: HTMLElement, progress: Account['progress']): void {
  element.hidden = progress === undefined
  if (!progress) return
  const { done, total } = progress
  const bar = within(element, 'progress') as HTMLProgressElement
  // A bar takes a maximum above zero only.
  bar.max = Math.max(1, total)
  bar.value = done
  setText(within(element, 'span'), `${countText(done)} of ${countText(total)}`)
}
