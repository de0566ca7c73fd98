import { expect, test } from 'vitest'

import { parseAddresses } from '../../../domain/mime/addresses.ts'

test.each([
  ['ada@example.com', [{ address: 'ada@example.com' }]],
  ['Ada <ada@example.com>', [{ name: 'Ada', address: 'ada@example.com' }]],
  ['"Lovelace, Ada" <ada@example.com>', [{ name: 'Lovelace, Ada', address: 'ada@example.com' }]],
  ['Lovelace, Ada <ada@example.com>', [{ name: 'Lovelace, Ada', address: 'ada@example.com' }]],
  [
    'Lovelace, Ada <ada@example.com>, Hopper, Grace <grace@example.com>',
    [
      { name: 'Lovelace, Ada', address: 'ada@example.com' },
      { name: 'Hopper, Grace', address: 'grace@example.com' },
    ],
  ],
  ['ada@example.com (Ada)', [{ name: 'Ada', address: 'ada@example.com' }]],
  [
    'Friends: ada@example.com, "B, C" <b@example.com>;, d@example.com',
    [
      { address: 'ada@example.com' },
      { name: 'B, C', address: 'b@example.com' },
      { address: 'd@example.com' },
    ],
  ],
  ['undisclosed-recipients:;', []],
  [
    '=?utf-8?Q?Lovelace=2C_Ad=C3=A4?= <ada@example.com>',
    [{ name: 'Lovelace, Adä', address: 'ada@example.com' }],
  ],
  ['<@relay.example:ada@example.com>', [{ address: 'ada@example.com' }]],
  ['Ada <ada (home) @ (the) example.com>', [{ name: 'Ada', address: 'ada@example.com' }]],
  [
    'ada@example.com (Ada (the \\) first) x)',
    [{ name: 'Ada the first x', address: 'ada@example.com' }],
  ],
  ['Ada (a \\) b) <ada@example.com>', [{ name: 'Ada', address: 'ada@example.com' }]],
  ['"A (b \\" c)" <ada@example.com>', [{ name: 'A (b " c)', address: 'ada@example.com' }]],
  [
    'Ada (never closed <ada@example.com>',
    [{ name: 'Ada (never closed', address: 'ada@example.com' }],
  ],
  [
    '"ada@example.com" <mallory@example.net>',
    [{ name: 'ada@example.com', address: 'mallory@example.net' }],
  ],
  ['"never closed <ada@example.com>', [{ name: 'never closed', address: 'ada@example.com' }]],
  [
    '"Re: a; b: c" <ada@example.com>, "x: y: z: w: u: v: t" <b@example.com>, <c:d@example.com>',
    [
      { name: 'Re: a; b: c', address: 'ada@example.com' },
      { name: 'x: y: z: w: u: v: t', address: 'b@example.com' },
      { address: 'c:d@example.com' },
    ],
  ],
  ['<@a,@b:ada \t @ \t example.com>', [{ address: 'ada@example.com' }]],
  ['ada@example.com>', [{ address: 'ada@example.com' }]],
  ['', []],
])('%s', (value, addresses) => {
  expect(parseAddresses([value])).toEqual(addresses)
})

test('several fields are one list, and an endless list is cut', () => {
  expect(parseAddresses(['a@example.com', 'b@example.com'])).toHaveLength(2)
  expect(parseAddresses(['a@b,'.repeat(50_000)])).toHaveLength(5000)
  expect(parseAddresses(Array.from({ length: 9000 }, () => 'a@b'))).toHaveLength(5000)
  const named = '"Hopper, Grace; her: mail" <grace@example.com>, '
  expect(parseAddresses([named.repeat(5000)])).toHaveLength(5000)
})
