import { describe, expect, test } from 'vitest'
import { bodiesOf as bodies, type BodyMode } from '../../../domain/submission/alternative.ts'
import { inlineBodyRenderer } from '../../support/inline-body-renderer.ts'

const bodiesOf = (mode: BodyMode, body: string) =>
  bodies({ bodyRenderer: inlineBodyRenderer }, mode, body)

test('plain text is text alone, as it is', async () => {
  expect(await bodiesOf('plain', '<b>x</b>\r\n')).toEqual({ text: '<b>x</b>\r\n' })
})

test('html goes out as it is, with a text beside it', async () => {
  const html = '<p onclick="x()">Hello <b>Ada</b></p><script>x</script>'
  expect(await bodiesOf('html', html)).toEqual({ text: 'Hello Ada', html })
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
  ])('%j', async (markdown, html, text) => {
    expect(await bodiesOf('markdown', markdown)).toEqual({ html, text })
  })

  test('a table stays one, in the text too', async () => {
    const { html, text } = await bodiesOf('markdown', '| a | b |\n| - | -: |\n| long one | 2 |')
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
  ])('%s does no harm', async (markdown) => {
    const { html } = await bodiesOf('markdown', markdown)
    expect(html).not.toMatch(/script|onerror|onload|iframe|style|svg|form|input|data:|base/i)
  })

  test.each([
    ['a long paragraph', 'Some *words*, `code` and a [link](https://x.example). '.repeat(900)],
    ['a long table', `|a|b|c|\n|-|-|-|\n${'|a|b|c|\n'.repeat(3_000)}`],
  ])('%s is rendered', async (_what, markdown) => {
    expect((await bodiesOf('markdown', markdown)).html).toBeDefined()
  })
})

test.each(['html', 'markdown'] as const)('%s that cannot be rendered is refused', async (mode) => {
  const bodyRenderer = { render: async () => undefined }
  await expect(bodies({ bodyRenderer }, mode, 'x')).rejects.toThrow(
    `body: the ${mode} is nested too deeply, or takes too much to render.`,
  )
})

test.each([
  ['plain', 2_000_001],
  ['html', 2_000_001],
  ['markdown', 200_001],
] as const)('too much %s is refused unread', async (mode, length) => {
  await expect(bodiesOf(mode, 'x'.repeat(length))).rejects.toThrow(/^body: has at most \d+ /)
})
