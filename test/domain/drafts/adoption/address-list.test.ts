import { expect, test } from 'vitest'
import { addressList } from '../../../../domain/drafts/adoption/address-list.ts'
import { parseAddresses } from '../../../../domain/mime/addresses.ts'

test.each([
  [[], ''],
  [[{ address: 'a@example.org' }], 'a@example.org'],
  [[{ name: 'Jürgen Groß', address: 'j@example.org' }], 'Jürgen Groß <j@example.org>'],
  [[{ name: 'Doe, Jane', address: 'j@example.org' }], '"Doe, Jane" <j@example.org>'],
  [[{ name: 'A "B" \\ C', address: 'j@example.org' }], String.raw`"A \"B\" \\ C" <j@example.org>`],
  [
    [{ name: 'x@y.example', address: 'a@example.org' }, { address: 'b@example.org' }],
    '"x@y.example" <a@example.org>, b@example.org',
  ],
])('%j', (addresses, text) => {
  expect(addressList(addresses)).toBe(text)
  expect(parseAddresses([text])).toEqual(addresses)
})
