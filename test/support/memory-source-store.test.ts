import { sourceStoreSuite } from '../runtime/suites/source-store.ts'
import { memorySourceStore } from './memory-source-store.ts'

sourceStoreSuite('the store in memory', (body) => body(memorySourceStore()))
