import { accountsPanel } from './accounts.ts'
import { ask, requestOptions } from './ask.ts'
import { apiClient, type ApiClient } from './client.ts'
import { byId } from './dom.ts'
import { inboxPanel } from './inbox.ts'
import { clearPanel, watchPanel } from './panel.ts'
import { repeat } from './repeat.ts'
import { onToken, showForm, showInUse, showProblem } from './token-form.ts'
import { tokenStore } from './token-store.ts'

const CHECK_EVERY_MS = 3_000

/** Watches the mail with the token of this tab, from when there is one until it is removed or refused. */
export function watchMail(): void {
  let watching = new AbortController()
  const stop = (problem?: string) => {
    watching.abort()
    tokenStore.remove()
    for (const id of ['accounts', 'inbox']) clearPanel(byId(id))
    showForm(problem)
  }
  const start = (token: string) => {
    watching.abort()
    watching = new AbortController()
    tokenStore.set(token)
    void watchWith(apiClient(token), watching.signal, stop)
  }
  onToken(start, () => stop())
  const kept = tokenStore.get()
  if (kept !== null) start(kept)
}

/** Shows the mail that a token may read, and ends with `refuse` when the token is refused. */
async function watchWith(
  api: ApiClient,
  signal: AbortSignal,
  refuse: (problem: string) => void,
): Promise<void> {
  const end = (refused: string | undefined) => {
    if (refused !== undefined && !signal.aborted) refuse(refused)
  }
  const refused = await checkToken(api, signal)
  if (refused !== undefined || signal.aborted) return end(refused)
  void watchPanel(accountsPanel(api, signal), signal).then(end)
  void watchPanel(inboxPanel(api, signal), signal).then(end)
}

/** Asks whose token it is until that is known; returns why it was refused, if it was. */
async function checkToken(api: ApiClient, signal: AbortSignal): Promise<string | undefined> {
  let refused: string | undefined
  await repeat(async () => {
    const answer = await ask(api.v1.tokens.self.$get({}, requestOptions(signal)), CHECK_EVERY_MS)
    if (signal.aborted) return undefined
    if (answer.ok) {
      showInUse(answer.value)
      return undefined
    }
    if (answer.isRefused) refused = answer.words
    else showProblem(answer.words)
    return answer.retryAfterMs
  }, signal)
  return refused
}
