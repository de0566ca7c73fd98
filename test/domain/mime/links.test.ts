import { expect, test } from 'vitest'

import { linksInHtml, namesLink } from '../../../domain/mime/links.ts'
import { threadCpuMs } from '../../support/thread-cpu-ms.ts'

test.each([
  ['See https://example.org/a.', true],
  ['HTTP://EXAMPLE.ORG', true],
  ['(www.example.org)', true],
  ['http:// www. awww.x', false],
  ['mail ada@example.org', false],
  ['', false],
])('a text that names an address of the web: %s', (text, expected) => {
  expect(namesLink(text)).toBe(expected)
})

test.each([
  ['<p><A class="x"\n HREF = "https://example.org">x</A>', true],
  ['<a name="x">x</a> <link href="x">', false],
  ['<a name="x"> href="y"', false],
  ['<abbr href="x">', false],
])('HTML that links: %s', (html, expected) => {
  expect(linksInHtml(html)).toBe(expected)
})

test.each(['<a ', '<a h', ' hre', 'http://<', 'www.<'])(
  'a megabyte of %s is looked through within 100 ms',
  (part) => {
    const hostile = part.repeat(1e6 / part.length)
    const startMs = threadCpuMs()
    expect([namesLink(hostile), linksInHtml(hostile)]).toEqual([false, false])
    expect(linksInHtml(`<a ${' href'.repeat(2e5)}`)).toBe(false)
    expect(threadCpuMs() - startMs).toBeLessThan(100)
  },
)
