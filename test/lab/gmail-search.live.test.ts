import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ALL_MAIL } from './gmail/small-mail.ts'
import { type LabGmail, startGmail } from './gmail-imap.ts'
import { mailboxName, type RawImap, rawImap } from './raw-imap.ts'

const PLAIN = [
  'From: Ada <ada@example.org>',
  'To: Charles <charles@example.com>',
  'Bcc: hidden@example.org',
  'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= =?utf-8?B?IHp1bSBSYWQ=?=',
  'Date: Sun, 1 Mar 2026 23:30:00 -0500',
  'Message-ID: <one@example.org>',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('The engine weaves 日本語.').toString('base64'),
  '',
].join('\r\n')

const PARTS = [
  'From: Grace <grace@example.org>',
  'Cc: Ada <ada@example.org>',
  'Subject: parts of',
  ' two lines',
  'Date: Mon, 2 Mar 2020 12:00:00 +0000',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  'before',
  '--b',
  'Content-Type: text/html; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p>Caf=E9 <b>na</b>no=',
  'second</p>',
  '--b',
  'Content-Type: message/rfc822',
  '',
  'Subject: inner',
  '',
  'A loom.',
  '--b',
  'Content-Type: application/octet-stream',
  '',
  'binary',
  '--b--',
  'after',
].join('\r\n')

let gmail: LabGmail
let imap: RawImap
beforeAll(async () => {
  gmail = await startGmail()
  const user = await gmail.addUser()
  gmail.deliver(PLAIN, {
    labels: ['\\Inbox', 'Work/Küche', 'to do'],
    flags: ['\\Seen', 'Later'],
    internalDate: new Date('2026-03-02T23:59:59Z'),
  })
  gmail.deliver(PARTS, {
    labels: ['\\Starred'],
    internalDate: new Date('2026-03-03T00:00:00Z'),
  })
  gmail.deliver('Subject: x\r\n\r\n', { labels: [], flags: ['\\Answered'] })
  imap = await rawImap(gmail, user)
  await imap.command(`SELECT ${mailboxName(ALL_MAIL)}`)
})
afterAll(async () => {
  imap.close()
  await gmail.stop()
})

async function search(keys: string): Promise<readonly number[]> {
  const [answer] = await imap.command(`UID SEARCH ${keys}`)
  return (answer?.line.match(/\d+/g) ?? []).map(Number)
}

const literal = (text: string) => `{${Buffer.byteLength(text)}+}\r\n${text}`

describe('finds', () => {
  test.each([
    ['ALL', [1, 2, 3]],
    ['TEXT "ENGINE"', [1]],
    ['BODY weaves', [1]],
    [`CHARSET UTF-8 BODY ${literal('日本語')}`, [1]],
    ['TEXT ada', [1, 2]],
    ['BODY ada', []],
    ['TEXT nanosecond', [2]],
    [`CHARSET utf-8 BODY ${literal('café')} UNSEEN`, [2]],
    ['BODY inner', [2]],
    ['BODY loom', [2]],
    ['BODY binary', []],
    ['OR BODY before BODY after', []],
    ['FROM grace@', [2]],
    ['TO charles', [1]],
    ['CC ADA', [2]],
    ['BCC hidden', [1]],
    [`CHARSET UTF-8 SUBJECT ${literal('grüße zum rad')}`, [1]],
    ['SUBJECT "of two"', [2]],
    ['HEADER Message-ID one@example', [1]],
    ['HEADER Date ""', [1, 2]],
    ['HEADER X-None ""', []],
    ['SEEN', [1]],
    ['UNSEEN UNFLAGGED', [3]],
    ['FLAGGED', [2]],
    ['ANSWERED', [3]],
    ['UNANSWERED UNDRAFT', [1, 2]],
    ['DRAFT', []],
    ['DELETED', []],
    ['UNDELETED', [1, 2, 3]],
    ['KEYWORD later', [1]],
    ['UNKEYWORD Later', [2, 3]],
    ['NEW', []],
    ['RECENT', []],
    ['OLD 2:3', [2, 3]],
    ['BEFORE 3-Mar-2026', [1]],
    ['ON 02-mar-2026', [1]],
    ['SINCE 3-Mar-2026', [2, 3]],
    ['SENTON 1-Mar-2026', [1]],
    ['SENTBEFORE 1-Mar-2026', [2]],
    ['SENTSINCE 1-Mar-2026', [1]],
    ['LARGER 14', [1, 2]],
    ['SMALLER 15', [3]],
    ['NOT SEEN', [2, 3]],
    ['NOT (SEEN TEXT engine)', [2, 3]],
    ['OR SEEN FLAGGED', [1, 2]],
    ['OR (SEEN BODY loom) OR ANSWERED (FLAGGED BODY loom)', [2, 3]],
    ['(OR SEEN (FLAGGED)) (NOT ANSWERED) UID 2:*', [2]],
    ['UID 1,3', [1, 3]],
    ['X-GM-LABELS "TO DO"', [1]],
    ['X-GM-LABELS Work/K&APw-che', [1]],
    ['X-GM-LABELS "\\\\Starred"', [2]],
    ['X-GM-LABELS Work', []],
  ])('%s', async (keys, uids) => {
    expect(await search(keys)).toEqual(uids)
  })
})

test.each([
  ['', 'BAD'],
  ['NONSENSE', 'BAD'],
  ['TEXT', 'BAD'],
  ['TEXT (a)', 'BAD'],
  ['OR SEEN', 'BAD'],
  ['NOT', 'BAD'],
  ['()', 'BAD'],
  ['SINCE 2026-03-01', 'BAD'],
  ['SINCE 1-Foo-2026', 'BAD'],
  ['LARGER 4294967296', 'BAD'],
  ['LARGER x', 'BAD'],
  ['UID 1:x', 'BAD'],
  ['constructor', 'BAD'],
  ['CHARSET KOI8-R TEXT a', 'NO \\[BADCHARSET'],
])('refuses %j', async (keys, answer) => {
  await expect(imap.command(`UID SEARCH ${keys}`)).rejects.toThrow(new RegExp(`: r\\d+ ${answer}`))
})

test('no character set is named to whoever speaks UTF-8', async () => {
  await imap.command('ENABLE UTF8=ACCEPT')
  expect(await search('BODY "日本語"')).toEqual([1])
  await expect(search('CHARSET UTF-8 BODY "日本語"')).rejects.toThrow('BAD')
})
