import { sourceReaderSuite } from '../runtime/suites/source-reader.ts'
import { inlineSourceReader } from './inline-source-reader.ts'
import { memorySourceStore } from './memory-source-store.ts'

sourceReaderSuite('the reader in process', (body) => {
  const store = memorySourceStore()
  return body(inlineSourceReader(store), store)
})
