import {
  contentsToIndex,
  rebuildNextOfIndex,
  requestIndexRebuild,
} from '../../../../domain/search/rebuild-index.ts'
import { withLocalRuntime, type LocalRuntime } from '../../../../runtime/entries/local.ts'
import { note, print } from '../../../output.ts'

const TELL_EVERY_MS = 2_000

/** `svc search reindex`. */
export async function reindexCommand(): Promise<void> {
  await withLocalRuntime(async (runtime) => {
    await requestIndexRebuild(runtime)
    const total = await contentsToIndex(runtime)
    note(`To be indexed: ${counted(total)}.`)
    await rebuildToEnd(runtime, total)
    print(`Indexed ${counted(total)}.`)
  })
}

async function rebuildToEnd(runtime: LocalRuntime, total: number): Promise<void> {
  let done = 0
  let toldMs = performance.now()
  for (;;) {
    const indexed = await rebuildNextOfIndex(runtime)
    if (indexed === 0) return
    done += indexed
    if (performance.now() - toldMs < TELL_EVERY_MS) continue
    toldMs = performance.now()
    note(`Indexed: ${Math.min(done, total).toLocaleString('en-GB')} of ${counted(total)}.`)
  }
}

const counted = (count: number) =>
  `${count.toLocaleString('en-GB')} message${count === 1 ? '' : 's'}`
