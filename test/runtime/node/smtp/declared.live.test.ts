import { expect, onTestFinished, test } from 'vitest'
import { nodemailerSubmission } from '../../../../runtime/node/smtp/submission.ts'
import type { OutgoingParts, SmtpEnvelope } from '../../../../runtime/ports/submission.ts'
import { EXTENSIONS, type SmtpScript, startHostileSmtp } from '../../../lab/hostile-smtp.ts'
import {
  attachmentOf,
  bytesOf,
  outgoing,
  sendWith,
  submissionSettings,
} from '../../../support/submitting.ts'

const without = (name: string) => EXTENSIONS.filter((offered) => !offered.startsWith(name))

async function send(
  script: SmtpScript,
  parts: OutgoingParts,
  to: SmtpEnvelope['to'] = ['b@x.test'],
) {
  const smtp = await startHostileSmtp(script)
  const submission = nodemailerSubmission()
  onTestFinished(async () => {
    await submission.close()
    await smtp.stop()
  })
  const outcome = await sendWith(submission, {
    settings: submissionSettings(smtp),
    smtpEnvelope: { from: 'ann@example.test', to },
    source: () => submission.render(parts),
  })
  const said = (verb: string) => smtp.commands.filter((line) => line.startsWith(verb))
  const rendered = await bytesOf(submission.render(parts))
  return { outcome, said, received: smtp.complete.map(({ source }) => source), rendered }
}

const message = (text: string) =>
  attachmentOf({ filename: 'a.eml', contentType: 'message/rfc822' }, Buffer.from(text))

test('what the server gets is what was rendered, to the byte', async () => {
  const attachments = [message('A: ä\r\n\r\n.\r\n..\r\n.x'), message('A: b\n\n.\n')]
  const { received, rendered } = await send({}, outgoing({ text: '.\n..\n.a\n' }, attachments))
  expect(received).toEqual([rendered])
})

test('the size is declared', async () => {
  const parts = outgoing({}, [message('A: b\r\n\r\n')])
  const { said, rendered } = await send({}, parts)
  expect(said('MAIL')).toEqual([`MAIL FROM:<ann@example.test> SIZE=${rendered.length}`])
  const unlimited = await send({ extensions: [...without('SIZE'), 'SIZE'] }, parts)
  expect(unlimited.said('MAIL')[0]).toContain(' SIZE=')
  expect((await send({ extensions: without('SIZE') }, parts)).said('MAIL')).toEqual([
    'MAIL FROM:<ann@example.test>',
  ])
})

test('a message that is too large is not begun, and the connection stays good', async () => {
  const smtp = await startHostileSmtp({ extensions: [...without('SIZE'), 'SIZE 2097152'] })
  const submission = nodemailerSubmission()
  onTestFinished(async () => {
    await submission.close()
    await smtp.stop()
  })
  const settings = submissionSettings(smtp)
  const zip = attachmentOf({ filename: 'a', contentType: 'application/zip' }, Buffer.alloc(3e6))
  const large = await sendWith(submission, {
    settings,
    source: () => submission.render(outgoing({}, [zip])),
  })
  expect(large).toMatchObject({
    became: 'refused',
    retryable: false,
    asked: 0,
    words:
      'The message has 3.9 MiB with its attachments encoded, and the server takes 2.0 MiB at most.',
  })
  expect(await sendWith(submission, { settings })).toMatchObject({ became: 'sent' })
  expect(smtp.commands.map((line) => line.split(' ')[0])).toEqual([
    'EHLO',
    'AUTH',
    'MAIL',
    'RCPT',
    'DATA',
  ])
})

test('8-bit content is declared where it can be, and sent as it is where it cannot', async () => {
  const parts = outgoing({}, [message('A: ä\r\n\r\n')])
  const { said } = await send({}, parts)
  expect(said('MAIL')[0]).toContain(' BODY=8BITMIME')
  const undeclared = await send({ extensions: without('8BITMIME') }, parts)
  expect(undeclared.said('MAIL')[0]).not.toContain('BODY')
  expect(undeclared.received).toEqual([undeclared.rendered])
  expect((await send({}, outgoing({ text: 'Grüße' }))).said('MAIL')[0]).not.toContain('BODY')
})

const UTF8_TO = { to: [{ address: 'jörg@bücher.example' }] }
const UTF8_REPLY_TO = { replyTo: [{ address: 'jörg@example.test' }] }

test('letters outside of ASCII need SMTPUTF8 before the @, and nothing after it', async () => {
  const domainOnly = await send({ extensions: without('SMTPUTF8') }, outgoing(), [
    'j@bücher.example',
  ])
  expect(domainOnly.said('RCPT')).toEqual(['RCPT TO:<j@xn--bcher-kva.example>'])

  const both = await send({}, outgoing(UTF8_TO), ['jörg@xn--bcher-kva.example'])
  expect(both.said('MAIL')[0]).toMatch(/ SMTPUTF8 BODY=8BITMIME/)
  expect(both.said('RCPT')).toEqual(['RCPT TO:<jörg@bücher.example>'])

  const header = await send({}, outgoing(UTF8_REPLY_TO))
  expect(header.said('MAIL')[0]).toMatch(/ SMTPUTF8$/)
  for (const parts of [outgoing(UTF8_TO), outgoing(UTF8_REPLY_TO)]) {
    const { outcome, said } = await send({ extensions: without('SMTPUTF8') }, parts)
    expect(outcome).toMatchObject({
      became: 'refused',
      retryable: false,
      asked: 0,
      words: expect.stringContaining('SMTPUTF8'),
    })
    expect(said('MAIL')).toEqual([])
  }
})

test('an address that is none never reaches a server', async () => {
  for (const address of ['a@b>\r\nRCPT TO:<c@d', 'a b@c', '', '@'])
    expect((await send({}, outgoing(), [address])).outcome).toMatchObject({
      became: 'other',
      asked: 0,
    })
})

test('a refused recipient is told with the code and the words of the server', async () => {
  const smtp = await startHostileSmtp({
    react: (_moment, line) =>
      line.includes('gone') ? { say: '550 5.1.1 No such secret' } : undefined,
  })
  const submission = nodemailerSubmission()
  onTestFinished(async () => {
    await submission.close()
    await smtp.stop()
  })
  const { refused } = await submission.send(submissionSettings(smtp), {
    smtpEnvelope: { from: 'ann@example.test', to: ['gone@bücher.test', 'bob@x.test'] },
    source: () => submission.render(outgoing()),
    beforeHandover: async () => {},
  })
  // The password is "secret".
  expect(refused).toEqual([
    { address: 'gone@bücher.test', smtpCode: 550, message: '550 5.1.1 No such ***' },
  ])
})
