import { ask, requestOptions } from './ask.ts'
import type { ApiClient, Message } from './client.ts'
import { announce, byId, setText, syncRows, within, type RowKind } from './dom.ts'
import { countText, fullText, listDateText } from './format.ts'
import { PANEL_EVERY_MS, showEmpty, type Panel } from './panel.ts'

const NEWEST = 10

/** The newest messages of all inboxes; those that arrive while the page is open stand out for a moment. */
export function inboxPanel(
  api: ApiClient,
  signal: AbortSignal,
): Panel<{ readonly data: readonly Message[] }> {
  const section = byId('inbox')
  let newestSeen: number | undefined
  return {
    section,
    read: () =>
      ask(
        api.v1.messages.$get({ query: { limit: String(NEWEST) } }, requestOptions(signal)),
        PANEL_EVERY_MS,
      ),
    show({ data }) {
      showEmpty(section, data.length === 0)
      const rows = within(section, '.rows')
      const isFirst = newestSeen === undefined
      const seen = newestSeen ?? 0
      const arrived = syncRows(rows, data, messageRow).filter(({ id }) => !isFirst && id > seen)
      newestSeen = Math.max(seen, ...data.map(({ id }) => id))
      for (const { id } of arrived) within(rows, `[data-key="${id}"]`).classList.add('arrived')
      if (arrived.length > 0) announce(`New in the inbox: ${countText(arrived.length)}`)
    },
  }
}

const messageRow: RowKind<Message> = {
  template: 'message-row',
  keyOf: ({ id }) => String(id),
  fill(field, message, row) {
    const date = new Date(message.date)
    row.classList.toggle('unread', !message.read)
    setText(field('unread'), message.read ? '' : 'Unread')
    setText(field('from'), message.from?.name || message.from?.address || 'No sender')
    field('from').title = message.from?.address ?? ''
    setText(field('subject'), message.subject || 'No subject')
    setText(field('snippet'), message.snippet)
    setText(field('date'), listDateText(date, new Date()))
    field('date').title = fullText(date)
    field('date').setAttribute('datetime', message.date)
  },
}
