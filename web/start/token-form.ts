import type { TokenSelf } from './client.ts'
import { announce, byId, setText } from './dom.ts'

/** What RFC 6750 section 2.1 lets a bearer token be; fetch refuses other characters in a header. */
const BEARER_TOKEN = /^[\w.~+/-]+=*$/

/** Calls `use` with each token that is entered, and `remove` when the reader takes it back. */
export function onToken(use: (token: string) => void, remove: () => void): void {
  byId('token-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const token = input().value.trim()
    if (!BEARER_TOKEN.test(token)) showProblem('This does not look like a token.')
    else use(token)
  })
  byId('token-remove').addEventListener('click', () => {
    remove()
    input().focus()
  })
}

/** Shows the form, with what is wrong with the token that was entered. */
export function showForm(problem = ''): void {
  setInUse(false)
  showProblem(problem)
}

/** Shows which token is in use, and nothing of its secret. */
export function showInUse({ label, scopes }: TokenSelf): void {
  setInUse(true)
  input().value = ''
  showProblem('')
  setText(byId('token-label'), label)
  setText(byId('token-scopes'), scopes.join(' '))
}

/** Says at the field why the token cannot be used; nothing when it can. */
export function showProblem(problem: string): void {
  setText(byId('token-problem'), problem)
  input().setAttribute('aria-invalid', String(problem !== ''))
  if (problem !== '') announce(problem)
}

function setInUse(isInUse: boolean): void {
  byId('token-form').hidden = isInUse
  byId('token-in-use').hidden = !isInUse
  byId('step-token').classList.toggle('done', isInUse)
}

const input = () => byId('token-input') as HTMLInputElement
