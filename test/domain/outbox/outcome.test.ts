import { expect, test } from 'vitest'
import { ClaimLost } from '../../../domain/outbox/hold-claim.ts'
import { outcomeOfError, Stopping } from '../../../domain/outbox/outcome.ts'
import { MailServerError } from '../../../runtime/ports/mail-server-error.ts'
import { StorageError } from '../../../runtime/ports/storage-error.ts'
import { OutcomeUnknown } from '../../../runtime/ports/submission.ts'

const server = (
  kind: MailServerError['kind'],
  options: { readonly retryable: boolean; readonly smtpCode?: number },
) => new MailServerError(kind, 'words', options)

test.each([
  {
    name: 'a refusal for now',
    error: server('refused', { retryable: true, smtpCode: 450 }),
    failure: 'refused',
    isFinal: false,
  },
  {
    name: 'a refusal for good',
    error: server('refused', { retryable: false, smtpCode: 550 }),
    failure: 'refused',
    isFinal: true,
  },
  {
    name: 'what no server was asked',
    error: server('refused', { retryable: false }),
    failure: 'not_sent',
    isFinal: true,
  },
  {
    name: 'no connection',
    error: server('unreachable', { retryable: true }),
    failure: 'not_sent',
    isFinal: false,
  },
  {
    name: 'a refused login',
    error: server('auth', { retryable: false, smtpCode: 535 }),
    failure: 'not_sent',
    isFinal: false,
  },
  {
    name: 'a server that wants less',
    error: server('throttled', { retryable: true }),
    failure: 'not_sent',
    isFinal: false,
  },
  {
    name: 'no answer',
    error: new OutcomeUnknown('No answer came.'),
    failure: 'unknown',
    isFinal: true,
  },
])('$name', ({ error, failure, isFinal }) => {
  expect(outcomeOfError(error, true)).toMatchObject({
    kind: 'failed',
    failure: { failure, isFinal },
  })
})

test('a fault of ours may have sent the message once it was being handed over, and not before', () => {
  const fault = new TypeError('secret')
  const before = outcomeOfError(fault, false)
  expect(before).toMatchObject({ failure: { failure: 'not_sent', isFinal: false, cause: fault } })
  const after = outcomeOfError(fault, true)
  expect(after).toMatchObject({ failure: { failure: 'unknown', isFinal: true, cause: fault } })
  for (const outcome of [before, after])
    expect(outcome.kind === 'failed' && outcome.failure.error).not.toContain('secret')
  const full = outcomeOfError(new StorageError('The disk is full.'), false)
  expect(full).toMatchObject({ failure: { error: 'The disk is full.' } })
})

test('a lost claim and the end of the process are no failures', () => {
  expect(outcomeOfError(new ClaimLost(), false)).toEqual({ kind: 'lost' })
  expect(outcomeOfError(new Stopping(), false)).toEqual({ kind: 'left' })
})

test('the words of a server become one line of a sensible length', () => {
  const error = new MailServerError('refused', `550 No\r\nsuch ${'x'.repeat(1_000)}`, {
    retryable: false,
    smtpCode: 550,
  })
  const outcome = outcomeOfError(error, false)
  const words = outcome.kind === 'failed' ? outcome.failure.error : ''
  expect(words).toMatch(/^550 No such x+$/)
  expect(words).toHaveLength(500)
})
