import { describe, expect, test } from 'vitest'
import { maskOf } from '../../domain/mask.ts'
import { threadCpuMs } from '../support/thread-cpu-ms.ts'

const SECRET = 'Hunter2"hünter 1//0g+'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const asForm = (text: string) => new URLSearchParams({ a: text }).toString().slice(2)

test.each([
  ['in clear', SECRET],
  ['in other letters', SECRET.toUpperCase()],
  ['in a quoted string', SECRET.replace('"', String.raw`\"`)],
  ['in an address', encodeURIComponent(SECRET)],
  ['in a form', asForm(SECRET)],
  ['in an address that escapes all it may', asForm(SECRET).replaceAll('+', '%20')],
  ['in small escapes', asForm(SECRET).replaceAll('%2F', '%2f')],
  ['read as Latin-1', Buffer.from(SECRET).toString('latin1')],
  ['in base64', base64(SECRET)],
  ['in base64 for addresses', Buffer.from(SECRET).toString('base64url')],
  ['in base64 in a form', asForm(base64(`${SECRET}?`))],
  ['in SASL PLAIN', base64(`\0ann\0${SECRET}`)],
  ['in SASL PLAIN for another', base64(`ann\0ann\0${SECRET}`)],
  ['in XOAUTH2', base64(`user=ann\x01auth=Bearer ${SECRET}\x01\x01`)],
  ['in a form in base64', base64(`token=${asForm(SECRET)}`)],
])('a secret that is repeated %s is masked', (_, repeated) => {
  expect(maskOf([SECRET])(`What is ${repeated} please`)).toBe('What is *** please')
})

test.each(['x', 'xy', 'xyz', 'PLAIN/'])('base64 that follows on %s is found', (before) => {
  expect(maskOf([SECRET])(`BAD ${before}${base64(`\0ann\0${SECRET}`)}`)).toBe('BAD ***')
})

test('every one of several secrets is masked, the longest first', () => {
  expect(maskOf(['ab', 'abcd', ''])('abcd ab')).toBe('*** ***')
})

test('what only looks like base64 stays', () => {
  const words = 'AUTHENTICATE/PLAIN failed: user=ann, id 0123456789abcdef, a+b_c-d== 100%'
  expect(maskOf([SECRET])(words)).toBe(words)
})

test('without a secret nothing is masked', () => {
  expect(maskOf([''])('a text')).toBe('a text')
})

describe('a hostile text takes time in proportion to its length', () => {
  test.each(['a', 'A/', '%2b', '=', 'aaaab', '\\'])('of %s', (part) => {
    const startedMs = threadCpuMs()
    maskOf(['a'.repeat(200), '\\'.repeat(200)])(part.repeat(200_000 / part.length))
    expect(threadCpuMs() - startedMs).toBeLessThan(1_000)
  })
})
