import { expect } from 'vitest'

interface Message {
  readonly id: number
  readonly message_id: string
  readonly subject: string
}

interface Account {
  readonly state: string
  readonly messages: number
  readonly error?: string
  readonly last_sync_at?: string
}

/** A client of the API that reads, and fails where an answer is no success. */
export interface ApiReader {
  get(path: string): Promise<Response>
  /** The only account. */
  account(): Promise<Account>
  isSynced(): Promise<boolean>
  messageCount(): Promise<number>
  /** Every message, the newest first. */
  messages(): Promise<readonly Message[]>
  /** Message-ID headers by id. */
  messageIds(): Promise<ReadonlyMap<number, string>>
}

const PAGE = 500

export function apiReader(url: string, token: string): ApiReader {
  const get = async (path: string) => {
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/api/v1/${path}`, { headers })
    expect(answer.status).toBe(200)
    return answer
  }
  const account = async () => {
    const { data } = (await (await get('accounts')).json()) as { data: readonly Account[] }
    const [only] = data
    if (only === undefined) throw new Error('There is no account.')
    return only
  }
  const messages = async () => {
    const all: Message[] = []
    for (let cursor = ''; ;) {
      const page = await get(`messages?limit=${PAGE}${cursor && `&cursor=${cursor}`}`)
      const body = (await page.json()) as { data: readonly Message[]; next_cursor: string }
      all.push(...body.data)
      cursor = body.next_cursor
      if (cursor === '') return all
    }
  }
  return {
    get,
    account,
    messages,
    isSynced: async () => (await account()).state === 'ok',
    messageCount: async () => (await account()).messages,
    messageIds: async () =>
      new Map((await messages()).map(({ id, message_id }) => [id, message_id])),
  }
}
