import type { GmailAccount } from './account.ts'
import { type Command, textOf } from './command.ts'
import { Refusal } from './refusal.ts'

/** The account a LOGIN, AUTHENTICATE PLAIN, XOAUTH2 or OAUTHBEARER names; throws `Refusal`. */
export async function authenticate(
  { name, args }: Command,
  accounts: readonly GmailAccount[],
  ask: (challenge: string) => Promise<string>,
): Promise<GmailAccount> {
  const byPassword = (user: string, password: string) =>
    accounts.find(
      ({ user: known }) => [known.user, known.email].includes(user) && known.password === password,
    )
  if (name === 'LOGIN') return accepted(byPassword(textOf(args[0]), textOf(args[1])))
  const mechanism = textOf(args[0]).toUpperCase()
  const response = base64(args[1] === undefined ? await ask('') : textOf(args[1]))
  if (mechanism === 'PLAIN') {
    const [, user = '', password = ''] = response.split('\0')
    return accepted(byPassword(user, password))
  }
  if (mechanism !== 'XOAUTH2' && mechanism !== 'OAUTHBEARER')
    throw new Refusal('BAD', 'Unsupported authentication mechanism')
  // The fields end in Control+A; XOAUTH2 names the user in user=…, OAUTHBEARER in a=… (RFC 7628 section 3.1).
  const [first = '', ...fields] = response.split('\u0001')
  const user = /(?:user=|n,a=)([^,]*)/.exec(first)?.[1] ?? ''
  const token =
    fields.find((field) => field.startsWith('auth='))?.slice('auth=Bearer '.length) ?? ''
  const account = accounts.find(
    ({ user: known, accessTokens }) =>
      [known.user, known.email].includes(user) && accessTokens.has(token),
  )
  // The client answers the challenge before it hears the refusal.
  if (!account) await ask(OAUTH_CHALLENGE)
  return accepted(account)
}

/** What Gmail says of an access token it does not take. */
const OAUTH_CHALLENGE = Buffer.from(
  JSON.stringify({ status: '400', schemes: 'Bearer', scope: 'https://mail.google.com/' }),
).toString('base64')

const base64 = (text: string) => Buffer.from(text, 'base64').toString('utf8')

function accepted(account: GmailAccount | undefined): GmailAccount {
  if (!account) throw new Refusal('NO', '[AUTHENTICATIONFAILED] Invalid credentials (Failure)')
  return account
}
