import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { PATIENCE } from '../../../../runtime/node/smtp/patience.ts'
import { nodemailerSubmission } from '../../../../runtime/node/smtp/submission.ts'
import {
  EXTENSIONS,
  type SmtpMoment,
  type SmtpReaction,
  startHostileSmtp,
} from '../../../lab/hostile-smtp.ts'
import { sendWith, submissionSettings } from '../../../support/submitting.ts'

const RUNS = process.env['SVC_TEST_LONG'] === '1' ? 3_000 : 150
const LIMIT = 60
const IMPATIENCE = {
  ...PATIENCE,
  connectMs: LIMIT,
  greetingMs: LIMIT,
  loginMs: LIMIT,
  smtpEnvelopeMs: LIMIT,
  recipientMs: 0,
  blockMs: LIMIT,
  answerMs: LIMIT,
}

const MOMENTS: readonly SmtpMoment[] = ['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'end']
const REPLIES = [
  '250 OK',
  '250-Well\r\n250 OK',
  '250 OK\r\n250 OK',
  '354 Go on',
  '354 Go on\r\n354 Go on',
  '421 Closing',
  '450 Later',
  '550 No',
  '235 Welcome',
  '334 ',
  '220 Hello',
  '200',
  'OK',
  '',
  '250-',
]

const reaction: fc.Arbitrary<SmtpReaction> = fc.record(
  {
    say: fc.constantFrom(...REPLIES),
    isUnfinished: fc.boolean(),
    cut: fc.boolean(),
    delayMs: fc.constantFrom(0, 0, 10, 2 * LIMIT),
  },
  { requiredKeys: [] },
)
/** At this command of that kind, counted over all connections. */
const misstep = fc.record({
  moment: fc.constantFrom(...MOMENTS),
  number: fc.integer({ min: 1, max: 3 }),
  reaction,
})
const extensions = fc
  .subarray(EXTENSIONS.slice(0, 4))
  .map((some) => [...some, 'AUTH PLAIN'] as const)

interface Attempt extends Awaited<ReturnType<typeof sendWith>> {
  readonly subject: string
}

test('whatever a server does, no message is complete there twice, and nothing it took is called lost', async () => {
  const smtp = await startHostileSmtp()
  onTestFinished(() => smtp.stop())
  const settings = submissionSettings(smtp)
  const attempts: Attempt[] = []
  const judge = ({ subject, became, asked }: Attempt) => {
    const complete = smtp.complete.filter(
      ({ recipients, source }) =>
        recipients.length > 0 && source.toString().startsWith(`Subject: ${subject}\r\n`),
    )
    expect(complete.length).toBeLessThanOrEqual(1)
    expect(asked).toBeLessThanOrEqual(1)
    const isTaken = complete.some((message) => message.isTaken)
    if (isTaken) expect(['sent', 'unknown']).toContain(became)
    if (became === 'sent') expect(complete).toHaveLength(1)
    if (became === 'unknown') expect(asked).toBe(1)
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(misstep, { minLength: 1, maxLength: 3 }),
      extensions,
      async (missteps, offered) => {
        const submission = nodemailerSubmission(IMPATIENCE)
        smtp.behave({
          extensions: offered,
          react: (moment, _line, number) =>
            missteps.find((step) => step.moment === moment && step.number === number)?.reaction,
        })
        const sent: Attempt[] = []
        // The second goes over the connection that is kept, where there is one.
        for (const which of ['first', 'second']) {
          const subject = `${which} of ${attempts.length}`
          const source = async function* () {
            yield Buffer.from(`Subject: ${subject}\r\n\r\n`)
          }
          sent.push({ subject, ...(await sendWith(submission, { settings, source })) })
          await sleep(0)
        }
        await submission.close()
        attempts.push(...sent)
        for (const attempt of sent) judge(attempt)
      },
    ),
    { numRuns: RUNS },
  )
  // A server may still have been at it when nobody waited for it any more.
  await sleep(2 * LIMIT)
  for (const attempt of attempts) judge(attempt)
}, 1_200_000)
