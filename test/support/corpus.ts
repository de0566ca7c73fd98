import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder of real mail, when one is given: its index names the files, whose bytes are as they were found. */
export const CORPUS_FOLDER = process.env['SVC_TEST_CORPUS']

/** A message of the corpus. */
export interface CorpusMessage {
  /** Its path inside the folder. */
  readonly name: string
  readonly path: string
  readonly source: Uint8Array
}

/** All messages of the corpus, in the order of its index; none when there is no corpus. */
export function corpusMessages(): readonly CorpusMessage[] {
  if (CORPUS_FOLDER === undefined) return []
  return readFileSync(join(CORPUS_FOLDER, 'index.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { file: string }).file)
    .map((name) => {
      const path = join(CORPUS_FOLDER, name)
      return { name, path, source: new Uint8Array(readFileSync(path)) }
    })
}
