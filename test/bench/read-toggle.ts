import type { HttpClient } from './http-client.ts'

/** Changes the next message with every call; every change is one. */
export type Toggle = () => Promise<unknown>

const changePath = (id: number) => `/api/v1/messages/${id}`

/** Marks each of the messages read or unread in turns, over and over. What they are at first is settled before. */
export async function readToggle(api: HttpClient, ids: readonly number[]): Promise<Toggle> {
  const mark = (id: number, read: boolean) => api.send('PATCH', changePath(id), { read })
  for (const id of ids) await mark(id, true)
  let calls = 0
  return () => {
    const id = ids[calls % ids.length]
    const read = Math.floor(calls / ids.length) % 2 === 1
    calls += 1
    if (id === undefined) throw new RangeError('There is no message to mark.')
    return mark(id, read)
  }
}
