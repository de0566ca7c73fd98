import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Whatever else is slow is long too: without times of an earlier run, vitest goes by the size of a file. */
const SLOW = [
  'e2e/failing-disk',
  'workers/servers',
  'e2e/clock',
  'e2e/crash',
  'e2e/source-age',
  'workers/events-over-cuts',
  'e2e/account-removal',
  'e2e/large',
  'e2e/serve',
  'cli/commands/local/demo/demo',
  'e2e/package',
  'workers/acting',
  'e2e/acting',
  'e2e/crash-acting',
  'e2e/crash-sending',
  'contract/generated-clients',
  'cli/main',
]

const place = ({ moduleId }: TestSpecification) => {
  const found = SLOW.findIndex((name) => moduleId.endsWith(`/${name}.live.test.ts`))
  return found < 0 ? SLOW.length : found
}

/** Begins with what takes longest, so that nothing slow is left alone at the end. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is the order of vitest
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}
