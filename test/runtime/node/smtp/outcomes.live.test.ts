import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PATIENCE } from '../../../../runtime/node/smtp/patience.ts'
import { nodemailerSubmission } from '../../../../runtime/node/smtp/submission.ts'
import {
  EXTENSIONS,
  type SmtpMoment,
  type SmtpReaction,
  type SmtpScript,
  startHostileSmtp,
} from '../../../lab/hostile-smtp.ts'
import {
  outgoing,
  type SendOutcome,
  sendWith,
  submissionSettings,
} from '../../../support/submitting.ts'

const SHORT = 150
const IMPATIENCE = {
  ...PATIENCE,
  connectMs: SHORT,
  greetingMs: SHORT,
  loginMs: SHORT,
  smtpEnvelopeMs: SHORT,
  recipientMs: 0,
  blockMs: SHORT,
  answerMs: SHORT,
}
const WITHOUT_PIPELINING = EXTENSIONS.filter((name) => name !== 'PIPELINING')

/** At this moment, the first time or every time. */
const at =
  (
    moment: SmtpMoment,
    reaction: SmtpReaction,
    onlyFirst = false,
  ): NonNullable<SmtpScript['react']> =>
  (now, _line, number) =>
    now === moment && (number === 1 || !onlyFirst) ? reaction : undefined

async function send(script: SmtpScript, patience = PATIENCE) {
  const smtp = await startHostileSmtp(script)
  const submission = nodemailerSubmission(patience)
  onTestFinished(async () => {
    await submission.close()
    await smtp.stop()
  })
  const half = Buffer.alloc(150_000, 'abc')
  const large = {
    filename: 'a.bin',
    contentType: 'application/zip',
    size: half.length * 2,
    async *content() {
      yield half
      // What is said of the first half has to come before the second is on its way.
      if (script.inData) await sleep(100)
      yield half
    },
  }
  const outcome = await sendWith(submission, {
    settings: submissionSettings(smtp),
    smtpEnvelope: { from: 'ann@example.test', to: ['bob@example.test', 'eve@example.test'] },
    source: () => submission.render(outgoing({}, [large])),
  })
  return { smtp, outcome }
}

type Expected = Omit<Partial<SendOutcome>, 'error'> & { readonly complete: number }

const NOTHING = { asked: 0, complete: 0 }
const REFUSED_MAIL = {
  became: 'refused',
  smtpCode: 550,
  retryable: false,
  words: '550 No',
} as const
const DEFERRED = { became: 'refused', smtpCode: 451, retryable: true, words: '451 Later' } as const
const LOST = { became: 'unreachable', retryable: true, ...NOTHING } as const
const SENT = { became: 'sent', refused: [], asked: 1, complete: 1 } as const

const NO: SmtpReaction = { say: '550 No' }
const LATER: SmtpReaction = { say: '451 Later' }
const GOODBYE: SmtpReaction = { say: '421 Closing', cut: true }
const CLOSING = { became: 'refused', smtpCode: 421, retryable: true } as const
const CUT: SmtpReaction = { cut: true }
const SILENCE: SmtpReaction = {}

const BEFORE_DATA = ['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA'] as const

const CASES: readonly (readonly [string, SmtpScript, Expected])[] = [
  ['takes it', {}, SENT],
  ['says so late', { react: at('end', { say: '250 Taken', delayMs: 300 }) }, SENT],
  [
    'says so byte for byte',
    { react: at('end', { say: '250-Well\r\n250 Taken', dripMs: 3 }) },
    SENT,
  ],
  ['goes ahead with 250', { react: at('DATA', { say: '250 Go on' }) }, SENT],
  ['knows HELO only', { react: at('EHLO', { say: '502 What?' }) }, SENT],
  [
    'refuses the greeting',
    { react: at('greeting', { say: '554 Go away' }) },
    { became: 'refused', smtpCode: 554, ...NOTHING },
  ],
  [
    'refuses the login',
    { react: at('AUTH', { say: '535 Wrong' }) },
    { became: 'auth', smtpCode: 535, retryable: false, ...NOTHING },
  ],
  [
    'defers the login',
    { react: at('AUTH', { say: '454 Later' }) },
    { became: 'auth', smtpCode: 454, retryable: true, ...NOTHING },
  ],
  ['refuses at MAIL', { react: at('MAIL', NO) }, { ...REFUSED_MAIL, ...NOTHING }],
  ['defers at MAIL', { react: at('MAIL', LATER) }, { ...DEFERRED, ...NOTHING }],
  ['refuses all recipients', { react: at('RCPT', NO) }, { ...REFUSED_MAIL, ...NOTHING }],
  ['defers all recipients', { react: at('RCPT', LATER) }, { ...DEFERRED, ...NOTHING }],
  [
    'refuses one recipient',
    { react: at('RCPT', NO, true) },
    { ...SENT, refused: ['bob@example.test'] },
  ],
  ['refuses at DATA', { react: at('DATA', NO) }, { ...REFUSED_MAIL, ...NOTHING }],
  ['defers at DATA', { react: at('DATA', LATER) }, { ...DEFERRED, ...NOTHING }],
  ['refuses the message', { react: at('end', NO) }, { ...REFUSED_MAIL, asked: 1, complete: 1 }],
  ['defers the message', { react: at('end', LATER) }, { ...DEFERRED, asked: 1, complete: 1 }],
  [
    'refuses half of the message',
    { inData: { afterBytes: 1000, ...NO } },
    { ...REFUSED_MAIL, asked: 1, complete: 0 },
  ],
  [
    'takes half of the message',
    { inData: { afterBytes: 1000, say: '250 Taken' } },
    { became: 'unknown', asked: 1, complete: 0 },
  ],
  [
    'says goodbye in the data',
    { inData: { afterBytes: 1000, ...GOODBYE } },
    { ...CLOSING, asked: 1, complete: 0 },
  ],
  [
    'says goodbye after the data',
    { react: at('end', GOODBYE) },
    { ...CLOSING, asked: 1, complete: 1 },
  ],
  [
    'is gone in the data',
    { inData: { afterBytes: 1000, ...CUT } },
    { became: 'unknown', asked: 1, complete: 0 },
  ],
  [
    'is gone after the data',
    { react: at('end', CUT) },
    { became: 'unknown', asked: 1, complete: 1 },
  ],
  [
    'is gone in its answer',
    { react: at('end', { say: '250 Tak', isUnfinished: true, cut: true }) },
    { became: 'unknown', asked: 1, complete: 1 },
  ],
  [
    'is gone in a long answer',
    { react: at('end', { say: '250-Taken', cut: true }) },
    { became: 'unknown', asked: 1, complete: 1 },
  ],
  [
    'answers nonsense',
    { react: at('end', { say: 'Well done' }) },
    { became: 'unknown', asked: 1, complete: 1 },
  ],
  [
    'goes ahead twice',
    { react: at('end', { say: '354 Go on' }) },
    { became: 'unknown', asked: 1, complete: 1 },
  ],
  ['is gone once it has taken it', { react: at('end', { say: '250 Taken', cut: true }) }, SENT],
]

describe.each([
  ['with PIPELINING', EXTENSIONS],
  ['without PIPELINING', WITHOUT_PIPELINING],
  ['that offers nothing', ['AUTH LOGIN PLAIN']],
])('a server %s', (_name, extensions) => {
  test.each(CASES)('that %s', async (_case, script, { complete, ...expected }) => {
    const { smtp, outcome } = await send({ extensions, ...script })
    expect(outcome).toMatchObject(expected)
    expect(smtp.complete.filter(({ recipients }) => recipients.length > 0)).toHaveLength(complete)
  })

  test.each(BEFORE_DATA)('that is gone at %s', async (moment) => {
    const { outcome, smtp } = await send({ extensions, react: at(moment, CUT) })
    expect({ ...outcome, complete: smtp.complete.length }).toMatchObject(LOST)
  })

  test.each([
    ['greeting', '220 lab'],
    ['EHLO', '250-lab\r\n250 AUTH PLAIN'],
    ['AUTH', '235 Welcome'],
    ['MAIL', '250 OK'],
    ['RCPT', '250 OK'],
  ] as const)('that is gone once it has answered %s', async (moment, say) => {
    const { outcome, smtp } = await send({ extensions, react: at(moment, { say, cut: true }) })
    expect({ ...outcome, complete: smtp.complete.length }).toMatchObject(LOST)
  })

  test.each(BEFORE_DATA)('that says goodbye at %s', async (moment) => {
    const { outcome, smtp } = await send({ extensions, react: at(moment, GOODBYE) })
    const became = moment === 'AUTH' ? 'auth' : 'refused'
    expect(outcome).toMatchObject({ ...CLOSING, became, asked: 0 })
    expect(smtp.complete).toEqual([])
  })

  test.each(BEFORE_DATA)('that says nothing at %s', async (moment) => {
    const { outcome, smtp } = await send({ extensions, react: at(moment, SILENCE) }, IMPATIENCE)
    expect({ ...outcome, complete: smtp.complete.length }).toMatchObject(LOST)
  })

  test('that drips its answers for ever', async () => {
    const reaction = { say: `250-${'a'.repeat(300)}\r\n250 OK`, dripMs: 5 }
    for (const moment of ['RCPT', 'end'] as const) {
      const { outcome } = await send({ extensions, react: at(moment, reaction) }, IMPATIENCE)
      expect(outcome.became).toBe(moment === 'end' ? 'unknown' : 'unreachable')
    }
  })

  test('that is gone once it has said to go on', async () => {
    const react = at('DATA', { say: '354 Go on', cut: true })
    const { outcome, smtp } = await send({ extensions, react })
    // Who is told of it depends on which of the two is seen first.
    expect(outcome.became).toMatch(/^(unreachable|unknown)$/)
    expect(smtp.complete).toEqual([])
  })

  test('that says nothing after the data', async () => {
    const { outcome, smtp } = await send({ extensions, react: at('end', SILENCE) }, IMPATIENCE)
    expect(outcome).toMatchObject({ became: 'unknown', asked: 1 })
    expect(smtp.complete).toHaveLength(1)
  })
})

test.each(['MAIL', 'end'] as const)(
  'what a server repeats of the login at %s shows nowhere',
  async (moment) => {
    for (const say of ['550 What is secret for?', `what? ${btoa('\0sender\0secret')}`]) {
      const { outcome } = await send({ react: at(moment, { say }) })
      expect(outcome.words).toContain('***')
      expect(inspect(outcome.error, { depth: null, showHidden: true })).not.toMatch(/secret|c2Vjcm/)
    }
  },
)

test('what is thrown before the first byte ends the connection with nothing handed over', async () => {
  const smtp = await startHostileSmtp()
  onTestFinished(() => smtp.stop())
  const submission = nodemailerSubmission()
  const error = Object.assign(new Error('The disk is full.'), { code: 'send_failed' })
  const outcome = await sendWith(submission, {
    settings: submissionSettings(smtp),
    beforeHandover: () => Promise.reject(error),
  })
  expect(outcome).toMatchObject({ became: 'other', asked: 1 })
  expect(outcome.error).toBe(error)
  expect(error).toMatchObject({ message: 'The disk is full.', code: 'send_failed' })
  expect([smtp.complete, smtp.dataBytes(), smtp.commands.at(-1)]).toEqual([[], 0, 'DATA'])
  await expect.poll(() => smtp.connections().open).toBe(0)
})

test('whoever is asked before the first byte is done before anybody hears of a lost connection', async () => {
  const smtp = await startHostileSmtp({ react: at('DATA', { say: '354 Go on', cut: true }) })
  onTestFinished(() => smtp.stop())
  let isDone = false
  const outcome = await sendWith(nodemailerSubmission(), {
    settings: submissionSettings(smtp),
    async beforeHandover() {
      await sleep(200)
      isDone = true
    },
  })
  expect(outcome).toMatchObject({ became: 'unreachable', asked: 1 })
  expect(isDone).toBe(true)
})

test('a source that breaks off is never ended by a dot', async () => {
  const smtp = await startHostileSmtp()
  onTestFinished(() => smtp.stop())
  async function* broken() {
    yield Buffer.from('Subject: half\r\n\r\n')
    yield Buffer.alloc(100_000, 'a line\r\n')
    throw new Error('The store is gone.')
  }
  const settings = submissionSettings(smtp)
  const outcome = await sendWith(nodemailerSubmission(), { settings, source: broken })
  expect(outcome).toMatchObject({ became: 'unknown', asked: 1 })
  await expect.poll(() => smtp.connections().open).toBe(0)
  expect(smtp.complete).toEqual([])
})
