import { ask, requestOptions } from './ask.ts'
import { apiClient } from './client.ts'
import { announce, byId, setText } from './dom.ts'
import { clockText, countText } from './format.ts'
import { repeat } from './repeat.ts'

const EVERY_MS = 2_000

type State = 'checking' | 'answering' | 'unreachable'

const WORDS: Readonly<Record<State, string>> = {
  checking: 'Asking…',
  answering: 'The service answers',
  unreachable: 'Not reachable. Trying again.',
}

/** Shows whether the service answers, for as long as the page is open. */
export async function watchConnection(signal: AbortSignal): Promise<void> {
  const api = apiClient()
  let state: State = 'checking'
  await repeat(async () => {
    const health = await ask(api.health.$get({}, requestOptions(signal)), EVERY_MS)
    const now: State = health.ok && health.value.ok ? 'answering' : 'unreachable'
    if (health.ok) showHealth(health.value.accounts)
    if (now !== state) {
      state = now
      showState(state)
      // It may be another version that has come back.
      if (state === 'answering') await showIdentity(signal)
    }
    return EVERY_MS
  }, signal)
}

function showState(state: State): void {
  byId('connection').dataset['state'] = state
  setText(byId('connection-text'), WORDS[state])
  announce(WORDS[state])
}

function showHealth(accounts: number): void {
  setText(byId('account-count'), countText(accounts))
  setText(byId('last-answer'), clockText(new Date()))
  byId('step-account').classList.toggle('done', accounts > 0)
}

async function showIdentity(signal: AbortSignal): Promise<void> {
  const { v1 } = apiClient()
  const document = await ask(v1['openapi.json'].$get({}, requestOptions(signal)), EVERY_MS)
  if (!document.ok) return
  const { info } = document.value as { info?: { title?: string; version?: string } }
  if (info?.title !== undefined) setText(byId('service-title'), info.title)
  if (info?.version !== undefined) {
    const [name = ''] = (byId('service-version').textContent ?? '').split(' ')
    setText(byId('service-version'), `${name} ${info.version}`)
  }
}
