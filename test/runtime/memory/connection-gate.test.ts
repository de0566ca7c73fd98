import { setImmediate as otherWork } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { gatedMailServer } from '../../../runtime/memory/connection-gate.ts'
import { scriptedMailServer, settingsOf } from '../../support/scripted-mail-server.ts'

test('an account never has more than three connections; who waits gets the place of who closes', async () => {
  const { mailServer, counts } = scriptedMailServer()
  const gate = gatedMailServer(mailServer)
  let done = 0
  await Promise.all(
    Array.from({ length: 25 }, async () => {
      const session = await gate.connect(settingsOf('ada'))
      await otherWork()
      await session.close()
      done += 1
    }),
  )
  expect(done).toBe(25)
  expect(counts).toMatchObject({ mostOpen: 3, open: 0 })
})

test('a hundred accounts of one host log in four at a time, and no other host waits for them', async () => {
  const slow = Promise.withResolvers<void>()
  const { mailServer, counts } = scriptedMailServer(() => slow.promise)
  const gate = gatedMailServer(mailServer)
  const users = Array.from({ length: 100 }, (_, index) => `user${index}`)
  const all = users.map((user) => gate.connect(settingsOf(user)))
  await otherWork()
  expect(counts.loggingIn).toBe(4)
  all.push(gate.connect(settingsOf('eve', 'mail.example.net')))
  await otherWork()
  expect(counts.loggingIn).toBe(5)
  slow.resolve()
  expect(await Promise.all(all)).toHaveLength(101)
  expect(counts).toMatchObject({ mostLoggingIn: 5, open: 101 })
})

test('logins that fail give their places back', async () => {
  const { mailServer, counts } = scriptedMailServer(async () => {
    throw new Error('no')
  })
  const gate = gatedMailServer(mailServer)
  for (let attempt = 0; attempt < 10; attempt += 1)
    await expect(gate.connect(settingsOf('ada'))).rejects.toThrow('no')
  expect(counts).toMatchObject({ connected: 10, open: 0 })
})

test('who gives up while waiting opens no connection', async () => {
  const { mailServer, counts } = scriptedMailServer()
  const gate = gatedMailServer(mailServer)
  const open = await Promise.all([1, 2, 3].map(() => gate.connect(settingsOf('ada'))))
  const stopping = new AbortController()
  const fourth = gate.connect(settingsOf('ada'), { signal: stopping.signal })
  stopping.abort()
  await expect(fourth).rejects.toThrow(/abort/i)
  await open[0]?.close()
  expect(counts).toMatchObject({ connected: 3, open: 2 })
})
