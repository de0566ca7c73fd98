import { describe, expect, test } from 'vitest'
import { bodiesOf } from '../../../domain/submission/alternative.ts'

test('plain text is text alone, as it is', () => {
  expect(bodiesOf('plain', '<b>x</b>\r\n')).toEqual({ text: '<b>x</b>\r\n' })
})

test('html goes out as it is, with a text beside it', () => {
  const html = '<p onclick="x()">Hello <b>Ada</b></p><script>x</script>'
  expect(bodiesOf('html', html)).toEqual({ text: 'Hello Ada', html })
})

describe('markdown', () => {
  test.each([
    ['# Title', '<h1>Title</h1>', 'Title'],
    ['a\nb', '<p>a<br />b</p>', 'a\nb'],
    ['~~x~~ **y** `z`', '<p><del>x</del> <strong>y</strong> <code>z</code></p>', 'x y z'],
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>', '- a\n- b'],
    ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>', ' 3. a\n 4. b'],
    ['- [x] a\n- [ ] b', '<ul>\n<li>☑ a</li>\n<li>☐ b</li>\n</ul>', '- ☑ a\n- ☐ b'],
    [
      '[site](https://x.example)',
      '<p><a href="https://x.example">site</a></p>',
      'site <https://x.example>',
    ],
    [
      'https://x.example',
      '<p><a href="https://x.example">https://x.example</a></p>',
      'https://x.example',
    ],
    ['> quoted', '<blockquote>\n<p>quoted</p>\n</blockquote>', '> quoted'],
  ])('%j', (markdown, html, text) => {
    expect(bodiesOf('markdown', markdown)).toEqual({ html, text })
  })

  test('a table stays one, in the text too', () => {
    const { html, text } = bodiesOf('markdown', '| a | b |\n| - | -: |\n| long one | 2 |')
    expect(html).toContain('<td align="right">2</td>')
    expect(text).toBe('a          b\nlong one   2')
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '<a href="jav&#x09;ascript:alert(1)">x</a>',
    '<iframe src="https://x.example"></iframe>',
    '<style>body{}</style>',
    '<svg onload=alert(1)>',
    '<form action="https://x.example"><input></form>',
    '![x](data:text/html,x)',
    '<p style="position:fixed">x</p>',
    '<base href="https://x.example">',
  ])('%s does no harm', (markdown) => {
    const { html } = bodiesOf('markdown', markdown)
    expect(html).not.toMatch(/script|onerror|onload|iframe|style|svg|form|input|data:|base/i)
  })

  const LENGTH = 50_000
  const filled = (text: string) => text.repeat(LENGTH / text.length).slice(0, LENGTH)
  const WIDE = `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n`

  test.each([
    ['quotes in quotes', filled('>')],
    ['brackets', filled('[')],
    ['emphasis', filled('*a ')],
    ['emphasis in words', filled('_a__')],
    ['emphasis of two kinds', filled('a*b_c')],
    ['emphasis that ends another', filled('*a**a ')],
    ['spaces', `a${' '.repeat(LENGTH - 2)}b`],
    ['underlined headings', filled('a\n-\n')],
    ['open links', filled('http://a(')],
    ['a link that is used often', `[a]: ${'x'.repeat(10_000)}\n\n${'[a]'.repeat(13_000)}`],
    ['a picture that is used often', `[a]: ${'x'.repeat(10_000)}\n\n${'![a]'.repeat(9_000)}`],
    ['a wide table with short rows', WIDE + '|\n'.repeat(20_000)],
    ['many tables', filled('a|b\n-|-\n')],
    ['a wide cell', '<table><tr><td colspan="1000000">x</td></tr></table>'],
    ['a high cell', '<table><tr><td rowspan="1000000">x</td></tr></table>'],
    ['elements in elements', filled('<div>')],
    ['tables in tables', filled('<table><tr><td>')],
    [
      'lists in lists',
      Array.from({ length: 200 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join('\n'),
    ],
    ['much of everything', '# a\n\n- b *c* [d](https://e.example)\n\n'.repeat(1_200)],
  ])('%s take no more than three seconds', (_what, markdown) => {
    const startedMs = performance.now()
    try {
      const { html = '', text } = bodiesOf('markdown', markdown)
      expect(html.length + text.length).toBeLessThan(3_000_000)
    } catch (error) {
      expect(error).toMatchObject({
        message: expect.stringMatching(/^body: the markdown is nested/),
      })
    }
    expect(performance.now() - startedMs).toBeLessThan(3_000)
  })

  test.each([
    ['a long paragraph', 'Some *words*, `code` and a [link](https://x.example). '.repeat(900)],
    ['a long table', `|a|b|c|\n|-|-|-|\n${'|a|b|c|\n'.repeat(3_000)}`],
  ])('%s is rendered', (_what, markdown) => {
    expect(bodiesOf('markdown', markdown).html).toBeDefined()
  })
})
