import { afterAll, expect, test } from 'vitest'
import { openThreadedBodyRenderer } from '../../../runtime/node/threaded-body-renderer.ts'

const renderer = openThreadedBodyRenderer(1_500)
afterAll(() => renderer.close())

/** Of this thread alone, whatever else the machine does. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

test('a text comes back as its bodies', async () => {
  expect(await renderer.render('markdown', '*a*')).toEqual({
    html: '<p><em>a</em></p>',
    text: 'a',
  })
  expect(await renderer.render('html', '<p>a</p>')).toEqual({ html: '<p>a</p>', text: 'a' })
})

const LENGTH = 50_000
const filled = (text: string, length = LENGTH) => text.repeat(length / text.length)
const WIDE = `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n`
const LINK = `[a]: ${'x'.repeat(10_000)}\n\n`

/** Made to take long, or to become long. */
const HOSTILE: Readonly<Record<string, string>> = {
  'quotes in quotes': filled('>'),
  brackets: filled('['),
  'pictures of pictures': filled('![[['),
  emphasis: filled('*a '),
  'emphasis in words': filled('_a__'),
  'emphasis of two kinds': filled('a*b_c'),
  'emphasis that ends another': filled('*a**a '),
  'emphasis within words': filled('a**b'),
  strikes: filled('~~a '),
  spaces: `a${' '.repeat(20_000)}b`,
  'underlined headings': filled('a\n-\n'),
  'bullets in bullets': filled('- ', 20_000),
  'bullets that end in no rule': `${filled('* ', 20_000)}a`,
  'open links': filled('http://a('),
  'names of hosts': filled('www.'),
  'half an address': `${filled('a.', 20_000)}@`,
  'open elements': filled('<a '),
  entities: filled('&#x'),
  'code that ends nowhere': Array.from({ length: 300 }, (_, i) => '`'.repeat(i)).join(' '),
  'a link that is used often': `${LINK}${'[a]'.repeat(13_000)}`,
  'a picture that is used often': `${LINK}${'![a]'.repeat(9_000)}`,
  definitions: filled('[a]: '),
  'a wide table with short rows': WIDE + '|\n'.repeat(20_000),
  'many tables': filled('a|b\n-|-\n'),
  'a line of bars': filled('|'),
  'a wide cell': '<table><tr><td colspan="1000000">x</td></tr></table>',
  'a high cell': '<table><tr><td rowspan="1000000">x</td></tr></table>',
  'elements in elements': filled('<div>'),
  'tables in tables': filled('<table><tr><td>'),
  'lists in lists': Array.from({ length: 200 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join(
    '\n',
  ),
  'much of everything': filled('# a\n\n- b *c* [d](https://e.example)\n\n'),
}

test('whatever is written, this thread goes on, and what comes of it does not grow without end', async () => {
  const renderer = openThreadedBodyRenderer(1_000)
  const texts = Object.entries(HOSTILE)
  const begunMs = cpuMs()
  const lengths = await Promise.all(
    texts.map(async ([what, text]) => {
      const { html = '', text: plain = '' } = (await renderer.render('markdown', text)) ?? {}
      return [what, html.length + plain.length]
    }),
  )
  // Rendered here, they would take half a minute.
  expect(cpuMs() - begunMs).toBeLessThan(20 * texts.length)
  expect(lengths.filter(([, length]) => Number(length) >= 3_000_000)).toEqual([])
  await renderer.close()
}, 60_000)
