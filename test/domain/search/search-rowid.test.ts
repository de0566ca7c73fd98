import { expect, test } from 'vitest'
import { searchRowid } from '../../../domain/search/search-rowid.ts'

test('a later second always comes after an earlier one', () => {
  expect(searchRowid(2_000, '0000')).toBeGreaterThan(searchRowid(1_999, 'ffff'))
})

test('the latest date there is stays a safe integer', () => {
  expect(Number.isSafeInteger(searchRowid(Date.UTC(2200, 0, 1), 'ffff'))).toBe(true)
})
