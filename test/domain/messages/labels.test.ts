import { expect, test } from 'vitest'
import { labelsWithout, unitedLabels } from '../../../domain/messages/labels.ts'

test.each([
  [[], [], []],
  [['a'], [], ['a']],
  [['b'], ['a', 'c'], ['b', 'a', 'c']],
  [['Work'], ['WORK', 'work'], ['Work']],
  [[], ['Über', 'ÜBER', 'über'], ['Über']],
])('%j and %j are together %j', (first, others, together) => {
  expect(unitedLabels(first, others)).toEqual(together)
})

test.each([
  [[], ['a'], []],
  [['a', 'b'], [], ['a', 'b']],
  [
    ['a', 'B', 'c'],
    ['b', 'x'],
    ['a', 'c'],
  ],
  [['Über'], ['üBER'], []],
])('%j without %j is %j', (labels, others, left) => {
  expect(labelsWithout(labels, others)).toEqual(left)
})

test('what is given stays as it was', () => {
  const first = ['a']
  expect(unitedLabels(first, ['b'])).toEqual(['a', 'b'])
  expect(first).toEqual(['a'])
})
