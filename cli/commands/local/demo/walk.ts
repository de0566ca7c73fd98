/** What the lines for a visitor are made of. */
export interface Walk {
  readonly url: string
  readonly token: string
  /** A message of the inbox. */
  readonly messageId: number
  /** Up to where the change feed is known. */
  readonly seq: number
}

/** Commands for a shell, each with a line before it that says what it shows. They need curl and grep. */
export function walk({ url, token, messageId, seq }: Walk): readonly string[] {
  const curl = (path: string, options = '') =>
    `curl -s -w '\\n' ${options}-H 'Authorization: Bearer ${token}' '${url}/api/v1${path}'`
  const starred = `-X PATCH -H 'Content-Type: application/json' -d '{"starred":true,"labels_add":["demo"]}' `
  const steps: readonly (readonly [shows: string, command: string])[] = [
    ['Is it up?', `curl -s -w '\\n' ${url}/api/health`],
    ['The account and its counts', curl('/accounts')],
    [
      'The subjects of the newest five messages in the inbox',
      `${curl('/messages?limit=5')} | grep -o '"subject":"[^"]*"'`,
    ],
    ['A message with its text', curl(`/messages/${messageId}`)],
    ['Star and label it: a mail client sees it, too', curl(`/messages/${messageId}`, starred)],
    ['What changed since now; ask again when new mail has come', curl(`/changes?since=${seq}`)],
  ]
  return steps.flatMap(([shows, command]) => [`# ${shows}`, command, ''])
}
