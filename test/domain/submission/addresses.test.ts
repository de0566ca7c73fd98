import { array, assert, constantFrom, oneof, property, string, stringMatching } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAddress, splitAddressList } from '../../../domain/submission/addresses.ts'

/** 254 octets. */
const LONGEST = `${'a'.repeat(64)}@${'b.'.repeat(93)}org`

describe('one address', () => {
  test.each([
    ['ada@example.org', { address: 'ada@example.org' }],
    [' ada@Example.ORG ', { address: 'ada@example.org' }],
    ['Ada <ada@example.org>', { name: 'Ada', address: 'ada@example.org' }],
    ['Ada L. <ada@example.org>', { name: 'Ada L.', address: 'ada@example.org' }],
    ['"Lovelace, Ada" <ada@example.org>', { name: 'Lovelace, Ada', address: 'ada@example.org' }],
    ['"" <ada@example.org>', { address: 'ada@example.org' }],
    ['ada@example.org (Ada)', { address: 'ada@example.org' }],
    ['Jürgen <jürgen@münchen.de>', { name: 'Jürgen', address: 'jürgen@xn--mnchen-3ya.de' }],
    ['用户@例え.jp', { address: '用户@xn--r8jz45g.jp' }],
    ['a@faß.example', { address: 'a@xn--fa-hia.example' }],
    ['"Ada" Lovelace <ada@example.org>', { name: 'Ada Lovelace', address: 'ada@example.org' }],
    ['"Ada  \\"L\\""<ada@example.org>', { name: 'Ada "L"', address: 'ada@example.org' }],
    ['Ada (of London) L <ada@example.org>', { name: 'Ada L', address: 'ada@example.org' }],
    ['(a (b) \\) c) ada@example.org', { address: 'ada@example.org' }],
    ['<ada@example.org>', { address: 'ada@example.org' }],
    ['ada @ example . org', { address: 'ada@example.org' }],
    ['ada@example.org,', { address: 'ada@example.org' }],
    ['"a b"@example.org', { address: '"a b"@example.org' }],
    [String.raw`"a\"b"@example.org`, { address: String.raw`"a\"b"@example.org` }],
    ['"ada"@example.org', { address: 'ada@example.org' }],
    ["o'brien+tag@example.org", { address: "o'brien+tag@example.org" }],
    ['ada@[192.0.2.1]', { address: 'ada@[192.0.2.1]' }],
    ['ada@[IPv6:2001:db8::1]', { address: 'ada@[IPv6:2001:db8::1]' }],
    ['root@localhost', { address: 'root@localhost' }],
    [LONGEST, { address: LONGEST }],
  ])('%s', (text, address) => {
    expect(parseAddress('to', text)).toEqual(address)
  })

  test.each([
    '',
    ' ',
    'ada',
    'ada@',
    '@example.org',
    'ada@example',
    'ada@@example.org',
    'a@b@c.org',
    'ada@example..org',
    '.ada@example.org',
    'ada.@example.org',
    'a..b@example.org',
    'ada@example.org.',
    'ada@-example.org',
    'ada@example-.org',
    'ada@ex_ample.org',
    'ada@exa mple.org',
    'ada lovelace@example.org',
    'ada@example.org, b@example.org',
    'ada@example.org;',
    '<ada@example.org',
    'ada@example.org>',
    '<>',
    'ada .l@example.org',
    '. Ada <ada@example.org>',
    'Ada <<ada@example.org>>',
    'Ada <@relay.org:ada@example.org>',
    '[192.0.2.1]',
    'ada@[192.0.2.1',
    'Team: a@example.org;',
    'ada@1.2.3.4',
    'ada@[1.2.3]',
    'ada@[1.2.3.256]',
    'ada@[IPv6:x]',
    'ada@[example.org]',
    'ada@exam%70le.org',
    'ada@example.org/x',
    'ada@example.org:25',
    'ada＠example.org',
    `${'a'.repeat(65)}@example.org`,
    `ada@${'b'.repeat(64)}.org`,
    `ada@${'b.'.repeat(130)}org`,
    `${'a'.repeat(64)}@${'b.'.repeat(94)}org`,
    'a\u00a0b@example.org',
    'ada\u200b@example.org',
    'ada@example.org\n',
    'Ada\r\n <ada@example.org>',
    'Ada\tL <ada@example.org>',
    '\ud800@x.org',
    'javascript:alert(1)',
    `${'('.repeat(400)}ada@example.org`,
    `${'('.repeat(250)}${')'.repeat(250)}ada@example.org`,
  ])('%j is none', (text) => {
    expect(() => parseAddress('to.3', text)).toThrow(/^to\.3: /)
  })

  test('whatever is written, what comes of it holds nothing that ends a header field', () => {
    const pieces = constantFrom(
      '\r',
      '\n',
      '\0',
      '\u0085',
      '\u2028',
      '"',
      '<',
      '>',
      '@',
      ',',
      'a',
      ' ',
      '.org',
      '\\',
      '(',
      ')',
    )
    assert(
      property(
        oneof(
          string({ unit: 'binary' }),
          array(pieces).map((list) => list.join('')),
        ),
        (text) => {
          for (const written of [
            text,
            `${text} <ada@example.org>`,
            `"${text}"@example.org`,
            `a@${text}`,
          ]) {
            try {
              const { name = '', address } = parseAddress('to', written)
              expect(name + address).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
              expect(address).toMatch(/^[^<>\s]+@[!-~]+$|^".*"@[!-~]+$/u)
              expect(parseAddress('to', address)).toEqual({ address })
            } catch (error) {
              expect(error).toMatchObject({ code: 'invalid_request' })
            }
          }
        },
      ),
    )
  })
})

/** Of this thread alone, whatever else the machine does. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

describe('a list', () => {
  test.each([
    ['a@x.org,, b@x.org', ['a@x.org', 'b@x.org']],
    ['a@x.org;', undefined],
    ['Team: a@x.org', undefined],
    ['Team: a@x.org b@x.org;', undefined],
    ['Nobody:;', []],
    ['(first) a@x.org (x), b@x.org', ['a@x.org', 'b@x.org']],
    ['"a@x.org', undefined],
    ['', []],
    [' , ', []],
    ['ada@example.org', ['ada@example.org']],
    ['ada@example.org,', ['ada@example.org']],
    [
      '"Lovelace, Ada" <ada@example.org>, charles@example.com',
      ['"Lovelace, Ada" <ada@example.org>', 'charles@example.com'],
    ],
    ['Team: a@x.org, b@x.org;, c@x.org', ['a@x.org', 'b@x.org', 'c@x.org']],
    ['ada@example.org charles@example.com', undefined],
    ['ada@example.org\r\nBcc: x@example.org', undefined],
  ])('%j', (list, expected) => {
    if (expected) expect(splitAddressList('cc', list)).toEqual(expected)
    else expect(() => splitAddressList('cc', list)).toThrow(/^cc: /)
  })

  test.each(['(', '()', '(a) ', '"a" ', 'a. ', 'a.', 'a ', 'a@', '<', '"', '\\', '[a] ', ', ;'])(
    '%j again and again is refused soon',
    (text) => {
      const list = text.repeat((128 * 1024) / text.length)
      const begunMs = cpuMs()
      expect(() => splitAddressList('cc', `${list} x`)).toThrow(/^cc: /)
      expect(cpuMs() - begunMs).toBeLessThan(300)
    },
  )

  test('a long list is read, and a longer one refused unread', () => {
    const list = (count: number) => 'Ada Lovelace <ada@example.org>, '.repeat(count)
    expect(splitAddressList('cc', list(4_000))).toHaveLength(4_000)
    expect(() => splitAddressList('cc', list(5_000))).toThrow('cc: has at most 131072 characters.')
  })

  test('its entries are addresses by themselves', () => {
    const name = stringMatching(/^[A-Za-z ,.;:<>@()"\\]{0,12}$/)
    assert(
      property(array(name, { minLength: 1, maxLength: 8 }), (names) => {
        const list = names.map((one, index) => `${quoted(one)} <user${index}@example.org>`)
        const entries = splitAddressList('to', list.join(', '))
        expect(entries.map((entry) => parseAddress('to', entry).address)).toEqual(
          names.map((_, index) => `user${index}@example.org`),
        )
      }),
    )
  })
})

const quoted = (name: string) => `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`
