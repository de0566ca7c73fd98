import { Command } from 'commander'
import { expect, test } from 'vitest'
import { normaliseArgv } from '../../cli/argv.ts'

const program = new Command()
  .option('-v, --version')
  .addCommand(
    new Command('mail').addCommand(
      new Command('send')
        .option('--forward-to <address>')
        .option('--read [since]')
        .option('--json'),
    ),
  )

test.each([
  [
    ['mail', 'send', '-forward-to', 'a@b.c'],
    ['mail', 'send', '--forward-to', 'a@b.c'],
  ],
  [
    ['mail', 'send', '--forward-to', 'a@b.c'],
    ['mail', 'send', '--forward-to', 'a@b.c'],
  ],
  [['-forward-to=a@b.c=d'], ['--forward-to=a@b.c=d']],
  [
    ['-json', '-help'],
    ['--json', '--help'],
  ],
  [['-v'], ['-v']],
  // What is not an option of ours, and values, stay as they are.
  [
    ['-unknown', '-5', '-'],
    ['-unknown', '-5', '-'],
  ],
  [
    ['--forward-to', '-json'],
    ['--forward-to', '-json'],
  ],
  [
    ['-forward-to', '-json', '-json'],
    ['--forward-to', '-json', '--json'],
  ],
  [
    ['-read', '-json'],
    ['--read', '--json'],
  ],
  [
    ['send', '--', '-json'],
    ['send', '--', '-json'],
  ],
])('%j is read as %j', (given, expected) => {
  expect(normaliseArgv(given, program)).toEqual(expected)
})
