import { expect, onTestFinished, test } from 'vitest'
import { PATIENCE } from '../../../../runtime/node/smtp/patience.ts'
import { nodemailerSubmission } from '../../../../runtime/node/smtp/submission.ts'
import { type SmtpScript, startHostileSmtp } from '../../../lab/hostile-smtp.ts'
import { outgoing, sendWith, submissionSettings } from '../../../support/submitting.ts'

async function setUp(script: SmtpScript = {}, keepMs = PATIENCE.keepMs) {
  const smtp = await startHostileSmtp(script)
  const submission = nodemailerSubmission({ ...PATIENCE, keepMs })
  onTestFinished(async () => {
    await submission.close()
    await smtp.stop()
  })
  const settings = submissionSettings(smtp)
  /** As this user, with this subject. */
  const send = (user = 'sender', subject = 'Hello') =>
    sendWith(submission, {
      settings: { ...settings, user },
      source: () => submission.render(outgoing({ subject })),
    })
  const subjects = () =>
    smtp.complete.map(({ source }) => /Subject: (.*)\r/.exec(source.toString())?.[1])
  return { smtp, submission, send, subjects }
}

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** Answers the end of each message only when so many have come to theirs. */
function answeredInGroupsOf(size: number): SmtpScript {
  let group = Promise.withResolvers<void>()
  return {
    react: (moment, _line, number) => {
      if (moment !== 'end') return undefined
      const { promise: after, resolve } = group
      if (number % size === 0) {
        resolve()
        group = Promise.withResolvers()
      }
      return { say: '250 Taken', after }
    },
  }
}

/** Answers the end of no message before `letGo`. */
function heldAnswers() {
  const { promise: after, resolve: letGo } = Promise.withResolvers<void>()
  const script: SmtpScript = {
    react: (moment) => (moment === 'end' ? { say: '250 Taken', after } : undefined),
  }
  return { script, letGo }
}

test('messages follow one another over one connection, a hundred at most', async () => {
  const { smtp, send } = await setUp()
  for (let sent = 0; sent < 101; sent += 1) expect(await send()).toMatchObject({ became: 'sent' })
  expect(smtp.connections()).toMatchObject({ ever: 2 })
  expect(smtp.commands.filter((line) => line.startsWith('AUTH'))).toHaveLength(2)
})

test('a connection that nobody needs ends with a goodbye', async () => {
  const { smtp, send } = await setUp({}, 50)
  await send()
  expect(smtp.connections().open).toBe(1)
  await expect.poll(() => smtp.connections().open).toBe(0)
  expect(smtp.commands.at(-1)).toBe('QUIT')
  expect(await send()).toMatchObject({ became: 'sent' })
})

test('a login has four connections at most, all have five, and who waits goes in order', async () => {
  const { smtp, send, subjects } = await setUp(answeredInGroupsOf(4))
  const outcomes = await times(24, (index) => send('ann', `message ${index}`))
  expect(outcomes.every(({ became }) => became === 'sent')).toBe(true)
  expect(smtp.connections()).toMatchObject({ ever: 4, mostOpen: 4 })
  const order = subjects().map((subject) => Number(subject?.split(' ')[1]))
  // Four at a time: none passes one that was asked for four earlier.
  for (const [place, index] of order.entries()) expect(Math.abs(place - index)).toBeLessThan(4)

  smtp.behave(answeredInGroupsOf(5))
  await times(30, (index) => send(['bob', 'eve', 'joe'][index % 3]))
  expect(smtp.complete).toHaveLength(54)
  expect(smtp.connections().mostOpen).toBe(5)
})

test('a login that waits for its own connections keeps no other waiting', async () => {
  const { script, letGo } = heldAnswers()
  const { smtp, send, subjects } = await setUp(script)
  const busy = times(8, () => send('ann', 'busy'))
  await expect.poll(() => smtp.complete.length).toBe(4)
  smtp.behave({})
  await send('bob', 'other')
  letGo()
  await busy
  expect(subjects()[4]).toBe('other')
})

test.each<[string, SmtpScript['react'] & {}]>([
  [
    'cuts it',
    (moment, _line, number) => (moment === 'MAIL' && number === 1 ? { cut: true } : undefined),
  ],
  [
    'says goodbye',
    (moment, _line, number) =>
      moment === 'MAIL' && number === 1 ? { say: '421 Too long', cut: true } : undefined,
  ],
])('a message finds another connection where the server %s', async (_how, react) => {
  const { smtp, send, subjects } = await setUp()
  await send('ann', 'first')
  smtp.behave({ react })
  expect(await send('ann', 'second')).toMatchObject({ became: 'sent', asked: 1 })
  expect(subjects()).toEqual(['first', 'second'])
  expect(smtp.connections().ever).toBe(2)
})

test('a connection that the server ended while it was kept is not used', async () => {
  const { smtp, send } = await setUp({
    react: (moment) => (moment === 'end' ? { say: '250 Taken', cut: true } : undefined),
  })
  expect(await send()).toMatchObject({ became: 'sent' })
  await expect.poll(() => smtp.connections().open).toBe(0)
  expect(await send()).toMatchObject({ became: 'sent' })
  expect(smtp.connections().ever).toBe(2)
})

test('a new connection that is lost is not tried again', async () => {
  const { smtp, send } = await setUp({
    react: (moment) => (moment === 'MAIL' ? { cut: true } : undefined),
  })
  expect(await send()).toMatchObject({ became: 'unreachable', asked: 0 })
  expect(smtp.connections().ever).toBe(1)
})

test('another password never uses a connection of the first', async () => {
  const { smtp, submission } = await setUp()
  for (const password of ['one', 'two'])
    await sendWith(submission, {
      settings: submissionSettings(smtp, { kind: 'password', password }),
    })
  expect(smtp.connections().ever).toBe(2)
})

test('whoever waits when all is closed sends nothing', async () => {
  const { script, letGo } = heldAnswers()
  const { smtp, submission, send } = await setUp(script)
  const sends = times(6, () => send('ann'))
  await expect.poll(() => smtp.complete.length).toBe(4)
  await submission.close()
  letGo()
  const outcomes = (await sends).map(({ became, asked }) => `${became} ${asked}`)
  expect(outcomes.toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 'sent 1'),
    ...Array.from({ length: 2 }, () => 'unreachable 0'),
  ])
  expect(await send()).toMatchObject({ became: 'unreachable', retryable: true })
  expect(smtp.complete).toHaveLength(4)
})

test.each(['MAIL', 'end'])('a refusal of %s is told before any goodbye', async (refused) => {
  const { smtp, send } = await setUp({
    react: (moment) =>
      moment === refused ? { say: '550 No' } : moment === 'QUIT' ? {} : undefined,
  })
  expect(await send()).toMatchObject({ became: 'refused' })
  // Whoever waits for the answer to a goodbye hears of it after the server does.
  expect(smtp.commands).not.toContain('QUIT')
  await expect.poll(() => smtp.connections().open).toBe(0)
})

test('closing ends what is kept, and lets what is on its way arrive', async () => {
  const { script, letGo } = heldAnswers()
  const { smtp, submission, send } = await setUp()
  await send('ann')
  smtp.behave(script)
  const onItsWay = send('bob')
  await expect.poll(() => smtp.complete.length).toBe(2)
  expect(smtp.connections().open).toBe(2)
  await submission.close()
  await expect.poll(() => smtp.connections().open).toBe(1)
  letGo()
  expect(await onItsWay).toMatchObject({ became: 'sent' })
  await expect.poll(() => smtp.connections().open).toBe(0)
})
