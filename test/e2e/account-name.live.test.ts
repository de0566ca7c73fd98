import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const directory = temporaryDirectory()
afterAll(() => directory[Symbol.dispose]())

const env = {
  SVC_DATA_DIR: join(directory.path, 'data'),
  SVC_OAUTH_GOOGLE_CLIENT_ID: 'x.apps.example.com',
}
/** Nobody listens on that port: whoever asks the servers first says so. */
const SETTINGS = Object.entries({
  '--email': 'ada@example.com',
  '--imap-host': 'localhost',
  '--imap-port': '1',
  '--smtp-host': 'localhost',
}).flat()
const TAKEN = { code: 2, stdout: '', stderr: 'svc: There is already an account named ADA.\n' }

const addArgs = (name: string) => ['account', 'add', '--name', name, ...SETTINGS]

beforeAll(async () => {
  for (const name of ['Ada', 'Work'])
    await svc([...addArgs(name), '--no-test'], { env: { ...env, SVC_PASSWORD: 'correct horse' } })
})

test('a name that is taken is told before a server or a password is asked for', async () => {
  expect(await svc(addArgs('ADA'), { env })).toEqual(TAKEN)
  const renamed = ['account', 'set', 'Work', '--name', 'ADA', '--imap-port', '2', '--new-password']
  expect(await svc(renamed, { env })).toEqual(TAKEN)
})

test('a name that is taken is told before anybody is asked to authorise', async () => {
  expect(await svc([...addArgs('ADA'), '--oauth', 'google'], { env })).toEqual(TAKEN)
})

test('an account may be given its own name in other letters', async () => {
  const renamed = await svc(['account', 'set', 'Work', '--name', 'WORK'], { env })
  expect(renamed).toMatchObject({ code: 0, stdout: 'Changed account WORK (id 2).\n' })
})
