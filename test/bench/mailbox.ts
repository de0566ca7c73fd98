import type { HttpClient } from './http-client.ts'

/** What the bench reads of a message. */
export interface ListedMessage {
  readonly id: number
  readonly subject: string
}

interface MessagePage {
  readonly data: readonly ListedMessage[]
  readonly next_cursor: string
}

interface Account {
  readonly state: string
  readonly error?: string
  readonly messages: number
  readonly last_sync_at?: string
}

export const listPath = (limit: number) => `/api/v1/messages?limit=${limit}`
export const messagePath = (id: number, body = 'text') => `/api/v1/messages/${id}?body=${body}`

/** The newest messages of all inboxes. */
export async function newest(api: HttpClient, limit: number): Promise<readonly ListedMessage[]> {
  return (await api.json<MessagePage>(listPath(limit))).data
}

/** The ids of all messages in inboxes, newest first. */
export async function allMessageIds(api: HttpClient): Promise<readonly number[]> {
  const ids: number[] = []
  let cursor = ''
  do {
    const page = await api.json<MessagePage>(`${listPath(500)}&cursor=${cursor}`)
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor !== '')
  return ids
}

/** All accounts, however their syncs stand. */
export const allAccounts = async (api: HttpClient): Promise<readonly Account[]> =>
  (await api.json<{ readonly data: readonly Account[] }>('/api/v1/accounts')).data

/** The first account; undefined before it was added. Throws when its sync went wrong. */
export async function theAccount(api: HttpClient): Promise<Account | undefined> {
  const [account] = await allAccounts(api)
  if (account?.state === 'error') throw new Error(`The sync failed: ${account.error}`)
  return account
}
