import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { writeFileSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { startLabDovecot, type LabDovecot } from '../lab/dovecot.ts'
import { startLabSmtp } from '../lab/smtp.ts'
import { svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const PASSWORD = 'correct-horse-battery-staple'
const EMAIL = 'ada@example.invalid'

let dovecot: LabDovecot
let user: DovecotUser
beforeAll(async () => {
  dovecot = await startLabDovecot()
  user = await dovecot.addUser({ password: PASSWORD })
})
afterAll(() => dovecot.stop())

/** An environment in which a database on loopback knows the servers of example.invalid. */
async function environment() {
  const directory = temporaryDirectory()
  const smtp = await startLabSmtp({ tls: 'implicit', users: { [user.user]: PASSWORD } })
  const database = createServer((_request, response) =>
    response.end(`<clientConfig><emailProvider><domain>example.invalid</domain>
      <incomingServer type="imap"><hostname>localhost</hostname><port>${dovecot.imapsPort}</port>
        <socketType>SSL</socketType><username>${user.user}</username></incomingServer>
      <outgoingServer type="smtp"><hostname>localhost</hostname><port>${smtp.port}</port>
        <socketType>SSL</socketType><username>${user.user}</username></outgoingServer>
      </emailProvider></clientConfig>`),
  )
  database.listen(0, '127.0.0.1')
  await once(database, 'listening')
  const { port } = database.address() as AddressInfo
  const authorities = join(directory.path, 'ca.pem')
  writeFileSync(
    authorities,
    [dovecot.certificate.caFile, smtp.caFile].map((file) => readFileSync(file, 'utf8')).join('\n'),
  )
  onTestFinished(async () => {
    database.closeAllConnections()
    database.close()
    await smtp.stop()
    directory[Symbol.dispose]()
  })
  return {
    env: {
      SVC_DATA_DIR: join(directory.path, 'data'),
      SVC_AUTOCONFIG_DATABASE: `http://127.0.0.1:${port}/{domain}`,
      NODE_EXTRA_CA_CERTS: authorities,
    },
    smtpPort: smtp.port,
  }
}

test('an account is added by its address alone, and people see how its servers were found', async () => {
  const { env, smtpPort } = await environment()
  const added = await svc(['account', 'add', '--email', EMAIL, '--password-stdin'], {
    env,
    input: `${PASSWORD}\n`,
  })
  expect(added.stderr).toContain(`database http://127.0.0.1`)
  expect(added.stderr).toMatch(/IMAP: ok\nSMTP: ok\n$/)
  expect(added).toMatchObject({ code: 0, stdout: `Added account ${EMAIL} (id 1).\n` })
  expect(added.stderr).not.toContain(PASSWORD)
  const listed = JSON.parse((await svc(['account', 'list', '--json'], { env })).stdout) as unknown
  expect(listed).toMatchObject([
    {
      imap: { host: 'localhost', port: dovecot.imapsPort, tls: 'implicit', user: user.user },
      smtp: { host: 'localhost', port: smtpPort, tls: 'implicit', user: user.user },
    },
  ])
})

test('discover prints the servers, and with --json also every source that was tried', async () => {
  const { env } = await environment()
  const told = await svc(['account', 'discover', EMAIL], { env })
  expect(told.code).toBe(0)
  expect(told.stdout).toContain(`IMAP: localhost:${dovecot.imapsPort} implicit, user ${user.user}`)
  expect(told.stderr).toMatch(/^Tried known provider example\.invalid: nothing\n/)
  const { code, stdout } = await svc(['account', 'discover', EMAIL, '--json'], { env })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    email: EMAIL,
    imap: { host: 'localhost', source: 'database', trusted: true },
    attempts: expect.arrayContaining([expect.objectContaining({ source: 'srv' })]),
  })
})

test('a port without its host is a usage error', async () => {
  const { env } = await environment()
  const refused = await svc(['account', 'add', '--email', EMAIL, '--imap-port', '993'], { env })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('--imap-host')
})
