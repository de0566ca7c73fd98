import { expect, test } from 'vitest'

import { textOfHtml } from '../../../domain/mime/text-of-html.ts'
import { threadCpuMs } from '../../support/thread-cpu-ms.ts'

test('paragraphs, lists and entities become text; styles, scripts, comments and pictures go', () => {
  const html = `<html><head><style>p {color: red}</style></head><body><!-- no --><h1>Title</h1>
    <p>caf&eacute; &amp; <b>more</b><br>next</p><ul><li>one<li>two</ul><img src=x alt=pic><script>x()</script>`
  expect(textOfHtml(html).replaceAll(/\n+/g, '\n')).toBe('Title\ncafé & more\nnext\n * one\n * two')
})

const half = 2 ** 18
test.each([
  ['nested elements', '<div>'.repeat(half)],
  ['nested tables', '<table><tr><td>'.repeat(half)],
  ['closing tags that were never opened', '<div>'.repeat(half / 5) + '</p>'.repeat(half / 4)],
  ['formatting that never closes', `<p>${'<font></p>'.repeat(half)}`],
  ['unfinished tags', '<a '.repeat(half)],
  ['unfinished comments', '<!--'.repeat(half)],
  ['line breaks', '<br> '.repeat(half)],
])('%s in hundreds of kilobytes take no more than two seconds', (_, html) => {
  const start = threadCpuMs()
  textOfHtml(`before ${html}`)
  expect(threadCpuMs() - start).toBeLessThan(2000)
})

test('text that is nested too deep to be laid out is still found', () => {
  expect(textOfHtml(`<p>start</p>${'<div>'.repeat(5000)}deep`)).toMatch(/^start\s+deep$/)
})
