import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startHostileImap } from '../../../lab/hostile-imap.ts'
import { openSession } from '../../../support/imap-session.ts'

/** More than twice as long as a server may gather what comes. */
const QUIET_MS = 1_200
const LOOK = ['UID FETCH', 'IDLE']
const FLAGS = '* 1 FETCH (UID 1 FLAGS ())\r\n'

/** A session, what it sends from here on, and what the server says at the next commands of a name, one by one. */
async function setUp() {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  const sent: string[] = []
  const says: Record<string, string[]> = {}
  imap.behave({
    answer({ command }, honest) {
      sent.push(command)
      const untagged = says[command]?.shift() ?? ''
      return command === 'IDLE' ? honest + untagged : untagged + honest
    },
  })
  const session = await openSession(imap, imap.user)
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  sent.length = 0
  /** Reads what is new, and then waits for more. */
  const lookAndIdle = async () => {
    session.markSeen()
    await session.fetchChanges({})
    return session.idle(ended.signal)
  }
  return { sent, says, lookAndIdle }
}

test('finds what came while the server gathered, and looks no more once nothing did', async () => {
  const { sent, says, lookAndIdle } = await setUp()
  says['IDLE'] = ['* 6 EXISTS\r\n']
  await lookAndIdle()
  says['NOOP'] = ['* 7 EXISTS\r\n']
  await lookAndIdle()
  expect(sent.splice(0)).toEqual([...LOOK, 'DONE', ...LOOK, 'DONE', 'NOOP'])
  says['IDLE'] = ['', FLAGS]
  await lookAndIdle()
  expect(sent.splice(0)).toEqual([...LOOK, 'DONE', 'NOOP', 'IDLE'])
  void lookAndIdle()
  await sleep(QUIET_MS)
  expect(sent).toEqual(['DONE', ...LOOK])
})

test('asks nothing of a mailbox where nothing arrives', async () => {
  const { sent, says, lookAndIdle } = await setUp()
  says['IDLE'] = [FLAGS]
  await lookAndIdle()
  void lookAndIdle()
  await sleep(QUIET_MS)
  expect(sent).toEqual([...LOOK, 'DONE', ...LOOK])
})
