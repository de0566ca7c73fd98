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
  // Standing before or between the names of commands it is the command's.
  [
    ['-json', 'mail', '--json', 'send', 'x'],
    ['mail', 'send', '--json', '--json', 'x'],
  ],
  [
    ['--json', 'mail', 'send', '--', 'mail'],
    ['mail', 'send', '--json', '--', 'mail'],
  ],
  [
    ['--json', '--read', 'mail', 'send'],
    ['--json', '--read', 'mail', 'send'],
  ],
])('%j is read as %j', (given, expected) => {
  expect(normaliseArgv(given, program)).toEqual(expected)
})
