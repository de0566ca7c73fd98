import { expect, onTestFinished, test } from 'vitest'
import { createFilter } from '../../../../../domain/filters/create.ts'
import { openFileStore } from '../../../../../runtime/node/file-store.ts'
import { memorySourceStore } from '../../../../support/memory-source-store.ts'
import { factories } from '../../../../support/factories.ts'
import { fakeClock } from '../../../../support/fake-clock.ts'
import { recordingLogger } from '../../../../support/recording-logger.ts'
import { svc } from '../../../../support/svc.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

/** A data directory with two accounts, a message in the inbox of each, and a rule for the first. */
async function dataDirectory() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const env = { SVC_DATA_DIR: directory.path }
  await svc(['token', 'list'], { env })
  const store = openFileStore(`file:${directory.path}/svc.db`)
  const make = factories(store, memorySourceStore())
  for (const name of ['Work', 'Home']) {
    const account = await make.account({ name })
    const source = `From: Bob <bob@shop.example>\r\nSubject: Invoice for ${name}\r\n\r\nTotal: 42\r\n`
    await make.message(await make.inbox(account.id), { source })
  }
  const ports = { store, clock: fakeClock(), logger: recordingLogger() }
  await createFilter(ports, {
    account: 'Work',
    conditions: [{ field: 'body', op: 'regex', value: 'Total: [0-9]+' }],
    actions: [{ type: 'star' }],
  })
  await store.close()
  return env
}

test('svc filters test shows what a rule, or conditions, would match', async () => {
  const env = await dataDirectory()
  const run = (...args: readonly string[]) => svc(['filters', 'test', ...args], { env })

  const rule = await run('1')
  expect(rule).toMatchObject({ code: 0, stderr: 'It would match 1 of the newest 1 messages.\n' })
  expect(rule.stdout).toMatch(
    /^ID +ACCOUNT.*\n1 +Work +\S+ +bob@shop\.example +Invoice for Work\n$/,
  )

  const both = ['-condition', 'subject contains INVOICE', '--condition', 'from regex ^bob@']
  const typed = await run(...both, '--json')
  expect(JSON.parse(typed.stdout)).toMatchObject({
    looked: 2,
    matches: [
      { id: 2, account: 'Home', from: { name: 'Bob', address: 'bob@shop.example' } },
      { id: 1, account: 'Work', subject: 'Invoice for Work' },
    ],
  })
  expect(await run(...both, '--account', 'home')).toMatchObject({
    stdout: expect.stringMatching(/\n2 .*\n$/),
    stderr: 'It would match 1 of the newest 1 messages.\n',
  })
  expect(await run('--condition', 'body contains nothing')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'It would match 0 of the newest 2 messages.\n',
  })
})

test.each([
  [[], 2, 'Give the id of a rule, or --condition.'],
  [['1', '--condition', 'subject contains x'], 2, 'Give the id of a rule, or --condition.'],
  [['1', '--account', 'Work'], 2, 'A rule has its account already.'],
  [['x'], 2, 'positive whole number'],
  [['7'], 1, 'There is no filter rule 7.'],
  [['--condition', 'subject is x'], 2, 'contains or regex'],
  [['--condition', 'subject regex ('], 2, 'RE2 syntax'],
  [
    ['--condition', 'subject contains x', '--account', 'Nobody'],
    1,
    'There is no account "Nobody".',
  ],
])('svc filters test %j ends with %i', async (args, code, message) => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const result = await svc(['filters', 'test', ...args], { env: { SVC_DATA_DIR: directory.path } })
  expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
})
