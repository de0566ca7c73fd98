import { tokens } from '../../../db/schema/tokens.ts'
import { openFileStore } from '../../../runtime/node/file-store.ts'

// A process of its own that writes `count` tokens, for tests in which two processes share a database file.
const [url = '', prefix = '', count = '0'] = process.argv.slice(2)
const store = openFileStore(url)
for (let index = 0; index < Number(count); index += 1) {
  const token = {
    selector: `${prefix}-${index}`,
    secretHash: 'hash',
    label: 'test',
    scopes: '',
    createdAt: index,
  }
  await store.commit((write) => [write.insert(tokens).values(token)])
}
await store.close()
