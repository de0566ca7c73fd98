import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { fold } from '../../../domain/search/fold.ts'
import { INDEX_TEXT_CHARS_MAX, indexText } from '../../../domain/search/index-text.ts'

describe('fold', () => {
  test.each([
    ['ÀÉÎõü Çş', 'aeiou cs'],
    ['Łódź, Ærø, Straße, İstanbul, Đông', 'lodz, aero, strasse, istanbul, dong'],
    ['Ώρα ΣΟΦΟΣ σοφος', 'ωρα σοφοσ σοφοσ'],
    ['Ёлка Йод', 'елка иод'],
    ['ＦＵＬＬ－ｗｉｄｔｈ １２３ ﬁ', 'full-width 123 fi'],
    ['ｶﾞ が か', 'ガ が か'],
    ['น้ำ ที่', 'น้ํา ที่'],
    ['हिन्दी', 'हिन्दी'],
    ['שָׁלוֹם مَرْحَبًا', 'שלום مرحبا'],
  ])('%s', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })
})

describe('index text', () => {
  test.each([
    ['Hello, World! e-mail_x', 'hello world e mail x'],
    ['Ada.L+x@Mail.Example.co.uk', 'ada l x mail example co uk'],
    ['東京都', '東京 京都'],
    ['東', '東'],
    ['大東京café3階', '大東 東京 cafe3 階'],
    ['食べる。ガーデン', '食べ べる ガー ーデ デン'],
    ['학교에서 왔다', '학교 교에 에서 왔다'],
    ['ภาษา', 'ภา าษ ษา'],
    ['𠮷野家', '𠮷野 野家'],
    ['', ''],
    [' \n— 😀 ', ''],
  ])('%s', (text, words) => {
    expect(indexText(text)).toBe(words)
  })

  test('any two or more characters of an unspaced run are found as a phrase', () => {
    const han = fc.string({
      unit: fc.constantFrom(...Array.from('東京都に住むภาษา학교')),
      minLength: 2,
      maxLength: 20,
    })
    fc.assert(
      fc.property(han, fc.nat(), fc.nat(), (text, from, length) => {
        const characters = Array.from(text)
        const start = from % (characters.length - 1)
        const part = characters.slice(start, start + 2 + (length % characters.length)).join('')
        expect(` ${indexText(text)} `).toContain(` ${indexText(part)} `)
      }),
    )
  })

  test('words are single-spaced, folded already, and bounded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(indexText(text)).toMatch(
          /^(?:[\p{L}\p{N}\p{M}\p{Co}]+(?: [\p{L}\p{N}\p{M}\p{Co}]+)*)?$/u,
        )
      }),
    )
    expect(indexText('a'.repeat(INDEX_TEXT_CHARS_MAX * 2))).toHaveLength(INDEX_TEXT_CHARS_MAX)
  })
})
