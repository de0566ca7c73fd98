import { expect, test } from 'vitest'
import { flagName } from '../../../../runtime/node/imap/flag-name.ts'

test.each(['\\Seen', '$Forwarded', 'to-do', 'Gr&APwA3w-e', 'a[b', "don't", 'A/b:c'])(
  '%s is a flag',
  (flag) => {
    expect(flagName(flag)).toEqual({ type: 'ATOM', value: flag })
  },
)

test.each([
  'two words',
  'a\r\nX LOGOUT',
  'a\n',
  'nul\0',
  'a\tb',
  'a\x7f',
  '\\',
  '\\\\Seen',
  '',
  'ümlaut',
  'a(',
  'a)',
  'a"',
  '{3}',
  '*',
  '%',
  'a]',
])('%j is none', (flag) => {
  expect(() => flagName(flag)).toThrow('no atom')
})
