import { expect, test } from 'vitest'
import { maskOf } from '../../../../domain/mask.ts'
import { transcribingLogger } from '../../../../runtime/node/imap/transcribing-logger.ts'

const SECRET = 'Hunter2"hünter'

function transcribed(...entries: readonly [src: 'c' | 's', msg: string][]): readonly string[] {
  const lines: string[] = []
  const logger = transcribingLogger(
    ({ from, text }) => lines.push(`${from}: ${text}`),
    maskOf([SECRET]),
  )
  for (const [src, msg] of entries) logger.debug({ src, msg, cid: 'x' })
  return lines
}

test('the arguments of LOGIN are left out', () => {
  expect(transcribed(['c', `1 LOGIN "ann" "(* value hidden *)"`], ['s', '1 OK Logged in'])).toEqual(
    ['client: 1 LOGIN ***', 'server: 1 OK Logged in'],
  )
})

test('of AUTHENTICATE only the mechanism is left, on the line and after it, until its answer', () => {
  const lines = transcribed(
    ['c', '2 AUTHENTICATE XOAUTH2 "(* value hidden *)"'],
    ['s', '+ eyJzdGF0dXMiOiI0MDAifQ=='],
    ['c', 'AGFubgBzZWNyZXQ='],
    ['s', '2 NO Invalid credentials'],
    ['c', '3 NOOP'],
  )
  expect(lines).toEqual([
    'client: 2 AUTHENTICATE XOAUTH2 ***',
    'server: + ***',
    'client: ***',
    'server: 2 NO Invalid credentials',
    'client: 3 NOOP',
  ])
})

test('a secret that the server repeats is masked', () => {
  const sasl = Buffer.from(`\0ann\0${SECRET}`).toString('base64')
  expect(transcribed(['s', `3 BAD What is ${SECRET} or ${sasl} please`])).toEqual([
    'server: 3 BAD What is *** or *** please',
  ])
})

test('no literal, no long string and no content of a message is written', () => {
  expect(
    transcribed(
      ['s', '* 1 FETCH (UID 7 BODY[] "(* 812B literal *)" FLAGS (\\Seen))'],
      ['s', String.raw`* 2 FETCH (BODY[TEXT]<0> "dear \"all\"" UID 8)`],
      ['s', '* 3 FETCH (BODY[HEADER.FIELDS (Subject)] "Subject: x" RFC822.TEXT "y" UID 9)'],
      ['c', '(* 812B continuation *)'],
    ),
  ).toEqual([
    'server: * 1 FETCH (UID 7 BODY[] {812 bytes} FLAGS (\\Seen))',
    'server: * 2 FETCH (BODY[TEXT]<0> {12 bytes} UID 8)',
    'server: * 3 FETCH (BODY[HEADER.FIELDS (Subject)] {10 bytes} RFC822.TEXT {1 bytes} UID 9)',
    'client: {812 bytes}',
  ])
})

test('what could not be read as a response may be a message: only its size is written', () => {
  const lines: string[] = []
  const logger = transcribingLogger(({ text }) => lines.push(text), maskOf([]))
  logger.error({ src: 's', msg: 'Dear Ann, the key is under', payloadBytes: 26, cid: 'x' })
  expect(lines).toEqual(['(unreadable, 26 bytes)'])
})

test('entries that are no line of the protocol are passed over', () => {
  const lines: string[] = []
  transcribingLogger(({ text }) => lines.push(text), maskOf([])).warn({ msg: 'Retrying', cid: 'x' })
  expect(lines).toEqual([])
})

test('an endless line is cut, after its secrets are masked', () => {
  const [line = ''] = transcribed(['s', `* OK ${'x'.repeat(3_990)}${SECRET}${'y'.repeat(9_000)}`])
  expect(line.length).toBeLessThan(4_100)
  expect(line).not.toContain('Hunter')
})
