import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longDataScan } from '../../../handlers/kit/long-data-scan.ts'

const LONG = 'QUJD'.repeat(70_000)

const WRAPPED = `${'QUJD+/'.repeat(9)}\r\n`.repeat(5_000)

function scan(json: string, pieceBytes: number) {
  const scanned = longDataScan('NAME')
  const bytes = new TextEncoder().encode(json)
  const taken = new Map<string, string>()
  for (let at = 0; at < bytes.length; at += pieceBytes)
    for (const data of scanned.take(bytes.slice(at, at + pieceBytes)))
      taken.set(data.name, (taken.get(data.name) ?? '') + new TextDecoder().decode(data.bytes))
  return { text: scanned.end(), texts: [...taken] }
}

describe('taken out', () => {
  test.each([1_000_000, 65_536, 1_021])('long data, in pieces of %d bytes', (pieceBytes) => {
    const json = `{"a":"é\\"","attachments":[{"data" : "${LONG}"},{"data":"short"},{"data":"${LONG}A"}]}`
    const { text, texts } = scan(json, pieceBytes)
    expect(text).toBe(json.replace(`${LONG}A`, 'NAME:1').replace(LONG, 'NAME:0'))
    expect(texts).toEqual([
      ['NAME:0', LONG],
      ['NAME:1', `${LONG}A`],
    ])
  })

  test.each([1_000_000, 65_536, 7])('with escapes, in pieces of %d bytes', (pieceBytes) => {
    const { text, texts } = scan(
      JSON.stringify({ data: WRAPPED }).replaceAll('B', '\\u0042'),
      pieceBytes,
    )
    expect(text).toBe('{"data":"NAME:0"}')
    expect(texts).toEqual([['NAME:0', WRAPPED.replaceAll('\r\n', '')]])
  })

  test.each(['\\', '\\x', '\\u00', '\n', 'é'])('what is no base64 stays none: %j', (wrong) => {
    const { texts } = scan(`{"data":"${LONG}${wrong}A"}`, 4_099)
    expect(texts[0]?.[1]).toMatch(/[^A-Za-z0-9+/= ]/)
  })
})

test('data that never ends makes no JSON', () => {
  expect(scan(`{"data":"${LONG}`, 4_099)).toEqual({
    text: '{"data":"NAME:0',
    texts: [['NAME:0', LONG]],
  })
})

describe('left as it is', () => {
  test.each([
    ['another field', `{"body":"${LONG}"}`],
    ['a long key', `{"${LONG}":1}`],
    ['many backslashes', `{"x":"${'\\\\'.repeat(9_000)}","y":"${'\\"'.repeat(999)}"}`],
    ['what only looks like data', `{"x":"\\"data\\":\\"${LONG}"}`],
  ])('%s', (_what, json) => {
    expect(scan(json, 4_099)).toEqual({ text: json, texts: [] })
  })

  test('every JSON without long data, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), (json, pieceBytes) => {
        expect(scan(json, pieceBytes)).toEqual({ text: json, texts: [] })
      }),
    )
  })
})
