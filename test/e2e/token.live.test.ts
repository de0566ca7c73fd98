import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startService, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

test('a token is alone on standard output, works, and stops when revoked', async () => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const env = { SVC_DATA_DIR: join(directory.path, 'data') }
  const service = await startService(['serve', '--handlers-only'], { env })
  const created = await svc(['token', 'create', '-label', 'shell', '-expires', '90d'], { env })
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^svc_pat_\S+\n$/) })
  const headers = { Authorization: `Bearer ${created.stdout.trim()}` }
  const self = () => fetch(`${service.url}/api/v1/tokens/self`, { headers })
  expect(await (await self()).json()).toMatchObject({ label: 'shell', scopes: ['mail:read'] })
  expect((await svc(['token', 'list'], { env })).stdout).toMatch(/^1 +shell +mail:read +active /m)
  expect(await svc(['token', 'revoke', '1'], { env })).toMatchObject({ code: 0 })
  expect((await self()).status).toBe(401)
  expect(await svc(['token', 'revoke', '2'], { env })).toMatchObject({
    code: 1,
    stderr: 'svc: There is no token 2.\n',
  })
})
