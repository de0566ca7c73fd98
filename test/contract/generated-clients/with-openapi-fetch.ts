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
const { data: tree } = await client.GET('/api/v1/folders')

console.log(
  JSON.stringify({
    subjects,
    text: message?.body?.text,
    subjectHeader: message?.headers?.parsed?.['subject'],
    folder: tree?.data[0]?.folders[0]?.special_use,
  }),
)
