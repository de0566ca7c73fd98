import { client } from './generated/hey-api/client.gen.js'
import {
  changeMessages,
  getMessage,
  listFolders,
  listMessages,
  updateMessage,
} from './generated/hey-api/sdk.gen.js'

const [baseUrl = '', token = ''] = process.argv.slice(2)
client.setConfig({ baseUrl, auth: token, throwOnError: true })

const { data: list } = await listMessages({
  query: { limit: 10, unread: true },
  throwOnError: true,
})
const subjects: string[] = list.data.map((message) => message.subject)

const id = list.data[0]?.id ?? 0
const { data: message } = await getMessage({
  path: { id },
  query: { body: 'text', headers: 'parsed' },
  throwOnError: true,
})
const { data: changed } = await updateMessage({
  path: { id },
  body: { starred: true, labels_add: ['good'] },
  throwOnError: true,
})
const { data: batch } = await changeMessages({
  body: { ids: [id], move_to: 'archive' },
  throwOnError: true,
})
const { data: tree } = await listFolders({ throwOnError: true })

console.log(
  JSON.stringify({
    subjects,
    text: message.body?.text,
    subjectHeader: message.headers?.parsed?.['subject'],
    labels: changed.labels,
    moved: batch.results.map(({ status }) => status),
    folder: tree.data[0]?.folders[0]?.special_use,
  }),
)
