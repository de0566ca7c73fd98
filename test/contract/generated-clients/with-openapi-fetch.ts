import createClient from 'openapi-fetch'
import type { paths } from './generated/openapi-typescript.js'

const [baseUrl = '', token = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } })

const { data: list, error } = await client.GET('/api/v1/messages', {
  params: { query: { limit: 10, unread: true } },
})
if (error) throw new Error(error.error.message)
const subjects: string[] = list.data.map((message) => message.subject)

const id = list.data[0]?.id ?? 0
const { data: message } = await client.GET('/api/v1/messages/{id}', {
  params: { path: { id }, query: { body: 'text', headers: 'parsed' } },
})
const { data: changed } = await client.PATCH('/api/v1/messages/{id}', {
  params: { path: { id } },
  body: { starred: true, labels_add: ['good'] },
})
const { data: batch } = await client.POST('/api/v1/messages/batch', {
  body: { ids: [id], move_to: 'archive' },
})
const { data: tree } = await client.GET('/api/v1/folders')

console.log(
  JSON.stringify({
    subjects,
    text: message?.body?.text,
    subjectHeader: message?.headers?.parsed?.['subject'],
    labels: changed?.labels,
    moved: batch?.results.map(({ status }) => status),
    folder: tree?.data[0]?.folders[0]?.special_use,
  }),
)
