import { describe, expect, test } from 'vitest'

import { digestMessage } from '../../../domain/mime/digest-message.ts'
import { readAttachment } from '../../../domain/mime/read-attachment.ts'
import { CORPUS_FOLDER, corpusMessages } from '../../support/corpus.ts'
import { threadCpuMs } from '../../support/thread-cpu-ms.ts'

const MESSAGE_MS_MAX = 1000

describe.skipIf(CORPUS_FOLDER === undefined)('real mail of SVC_TEST_CORPUS', () => {
  test('every message is read, in bounded time, its attachments too', async () => {
    for (const { source } of corpusMessages()) {
      const start = threadCpuMs()
      const digest = await digestMessage(source)
      expect(threadCpuMs() - start).toBeLessThan(MESSAGE_MS_MAX)
      expect(digest.dateHeaderMs).not.toBeNaN()
      expect(digest.snippet.length).toBeLessThanOrEqual(200)
      for (const [index, info] of digest.attachments.entries()) {
        const attachment = await readAttachment(source, digest.attachments, index)
        expect(attachment?.bytes).toHaveLength(info.size)
      }
    }
  })
})

test.runIf(CORPUS_FOLDER === undefined)(
  'without SVC_TEST_CORPUS only our own fixtures are read',
  () => {
    expect(CORPUS_FOLDER).toBeUndefined()
  },
)
