import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

import { openMimeParserPool } from '../../../runtime/node/mime-parser-pool.ts'
import type {
  MimeParserPool,
  MimeParserPoolOptions,
} from '../../../runtime/node/mime-parser-pool.ts'
import { openFileSourceStore } from '../../../runtime/node/file-source-store.ts'
import { fillSpoolFile } from '../../../runtime/node/spool-file.ts'
import { spooledSource } from '../../../runtime/node/spooled-source.ts'
import { threadedSourceIntake } from '../../../runtime/node/threaded-source-intake.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'
import { fixture, message } from '../../support/mime-fixtures.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

function openPool(options: Partial<MimeParserPoolOptions> = {}): MimeParserPool {
  const directory = temporaryDirectory()
  const pool = openMimeParserPool({ sourcesDirectory: directory.path, ...options })
  onTestFinished(async () => {
    await pool.close()
    directory[Symbol.dispose]()
  })
  return pool
}

/** The source in a file; the file ends with the test. */
async function spooled(directory: string, source: Uint8Array) {
  const spooling = { directory, place: 'beside' } as const
  const { file } = await fillSpoolFile(spooling, (empty) => empty.writeFile(source))
  onTestFinished(() => file.close())
  return spooledSource(file, source.length)
}

/** A thread that hangs or crashes on sources that say so, or that it is not brought, and answers the others. */
function moodyThread(directory: string): URL {
  const file = join(directory, 'moody-thread.mjs')
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', ({ sources = [], source }) => {
       const text = source?.sourceHash ?? sources.map((bytes) => 'fd' in bytes ? 'crash' : Buffer.from(bytes).toString()).join()
       if (text.includes('hang')) for (;;);
       if (text.includes('crash')) throw new Error('crash')
       parentPort.postMessage({ subject: 'answered' })
     })`,
  )
  return pathToFileURL(file)
}

test('many sources at once are all answered, each with its own', async () => {
  const parser = openPool({ size: 2 })
  const subjects = Array.from({ length: 200 }, (_, at) => `number ${at}`)
  const digests = await Promise.all(
    subjects.map((subject) => parser.digest(message(`Subject: ${subject}`, '', 'text'))),
  )
  expect(digests.map((digest) => digest.subject)).toEqual(subjects)
})

test('a source that crashes or hangs its thread gives its header, and the others are answered', async () => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const parser = openPool({
    size: 1,
    timeoutMs: 2000,
    threadUrl: moodyThread(directory.path),
  })
  const hanging = message('Subject: bad', 'From: a@example.com', '', 'hang')
  const crashing = message('Subject: worse', '', 'crash')
  const [hung, crashed, good] = await Promise.all([
    parser.digest(hanging),
    parser.digest(crashing),
    parser.digest(message('Subject: x', '', 'good')),
  ])
  expect(hung).toMatchObject({
    subject: 'bad',
    from: [{ address: 'a@example.com' }],
    attachments: [],
  })
  expect(hung.text).toBeUndefined()
  expect(crashed.subject).toBe('worse')
  expect(good.subject).toBe('answered')
  const kept = { sourceHash: 'crash', size: 1 }
  await expect(parser.bodies(kept)).rejects.toThrow('ended the thread')
  await expect(parser.attachment({ ...kept, attachments: [] }, 0, 'beside')).rejects.toThrow(
    'ended the thread',
  )
  await expect(parser.whole(kept, 'beside')).rejects.toThrow('ended the thread')
})

test('the caller keeps the sources that it brings', async () => {
  const parser = openPool()
  const source = fixture('attachments-exact.eml')
  await Promise.all([parser.digest(source), parser.take([source])])
  expect(source).toEqual(fixture('attachments-exact.eml'))
})

test('closing rejects what is not answered and what comes later', async () => {
  const parser = openPool({ size: 1 })
  const source = fixture('attachments-exact.eml')
  const open = [parser.digest(source), parser.digest(source)].map((answer) =>
    expect(answer).rejects.toThrow('closed'),
  )
  await parser.close()
  await Promise.all(open)
  await expect(parser.digest(source)).rejects.toThrow('closed')
})

test('a group of sources is kept and digested in one go', async () => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const parser = openPool({ sourcesDirectory: directory.path })
  const store = openFileSourceStore(directory.path)
  const sources = ['one', 'two'].map((subject) => message(`Subject: ${subject}`, '', subject))
  const taken = await threadedSourceIntake(parser, store).take(sources)
  expect(taken.map(({ digest }) => digest.subject)).toEqual(['one', 'two'])
  for (const [index, { sourceHash }] of taken.entries()) {
    expect(await store.get(sourceHash)).toEqual(new Uint8Array(sources[index] ?? []))
  }
})

test('a spooled source is kept and digested like one in memory, and stays open', async () => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const parser = openPool({ sourcesDirectory: directory.path })
  const store = openFileSourceStore(directory.path)
  const source = fixture('attachments-exact.eml')
  const inMemory = await threadedSourceIntake(parser, memorySourceStore()).take([source])
  const large = await spooled(directory.path, source)
  expect(await threadedSourceIntake(parser, store).take([large])).toEqual(inMemory)
  expect(await store.get(inMemory[0]?.sourceHash ?? '')).toEqual(new Uint8Array(source))
  expect(await large.read()).toEqual(new Uint8Array(source))
})

test('a spooled source that ends its thread is read by its header, and kept', async () => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const parser = openPool({ size: 1, threadUrl: moodyThread(directory.path) })
  const store = memorySourceStore()
  const source = message('Subject: worse', '', 'crash')
  const large = await spooled(directory.path, source)
  const [taken] = await threadedSourceIntake(parser, store).take([large])
  expect(taken?.digest.subject).toBe('worse')
  expect(await store.get(taken?.sourceHash ?? '')).toEqual(new Uint8Array(source))
})

test.each([
  ['in its thread', undefined],
  ['one by one, where a thread ended', 'moody'],
])('a source that is too old is read %s, and never kept', async (_how, thread) => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const parser = openPool({
    sourcesDirectory: directory.path,
    ...(thread && { threadUrl: moodyThread(directory.path) }),
  })
  const store = openFileSourceStore(directory.path)
  const sources = [
    message('Date: Thu, 01 Jan 2026 00:00:00 +0000', '', thread ? 'crash' : 'old'),
    message('Date: Thu, 01 Oct 2026 00:00:00 +0000', '', 'young'),
    message('Subject: no date, old', '', 'text'),
    message('Subject: no date, young', '', 'text'),
  ]
  const [old, young] = [Date.UTC(2026, 0, 2), Date.UTC(2026, 9, 2)]
  const keeping = { sinceMs: Date.UTC(2026, 5), internalDatesMs: [young, young, old, young] }
  const taken = await threadedSourceIntake(parser, store).take(sources, keeping)
  const there = await Promise.all(
    taken.map(async ({ sourceHash }) => (await store.get(sourceHash)) !== undefined),
  )
  expect(taken.map(({ sourceKept }) => sourceKept)).toEqual([false, true, false, true])
  expect(there).toEqual([false, true, false, true])
})

test('there is room for more only once what was taken before is read', async () => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const parser = openPool({ size: 1, sourcesDirectory: directory.path })
  const intake = threadedSourceIntake(parser, openFileSourceStore(directory.path))
  const large = Buffer.alloc(30 * 1024 * 1024, 'Subject: large\r\n\r\ntext\r\n')
  const order: string[] = []
  const taking = [1, 2, 3].map(async (number) => {
    await intake.take([Buffer.concat([Buffer.from(`X: ${number}\r\n`), large])])
    order.push(`taken ${number}`)
  })
  await Promise.all([...taking, intake.room().then(() => order.push('room'))])
  expect(order.filter((step) => step !== 'taken 2')).toEqual(['taken 1', 'room', 'taken 3'])
})

test('a source that ends its thread costs the others of its group nothing', async () => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const parser = openPool({ size: 1, threadUrl: moodyThread(directory.path) })
  const sources = [message('Subject: worse', '', 'crash'), message('Subject: x', '', 'good')]
  const taken = await threadedSourceIntake(parser, memorySourceStore()).take(sources)
  expect(taken.map(({ digest }) => digest.subject)).toEqual(['worse', 'answered'])
})
