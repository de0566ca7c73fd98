import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { SearchCriterion } from '../../../../runtime/ports/search-criterion.ts'
import { startLabCourier } from '../../../lab/courier.ts'
import { startLabCyrus } from '../../../lab/cyrus.ts'
import { startLabDovecot } from '../../../lab/dovecot.ts'
import { startGmail } from '../../../lab/gmail-imap.ts'
import { type Misbehaviour, startHostileImap } from '../../../lab/hostile-imap.ts'
import type { LabServer } from '../../../lab/lab-server.ts'
import { openLastingSession, openSession } from '../../../support/imap-session.ts'

const contains = (
  part: Extract<SearchCriterion, { kind: 'contains' }>['part'],
  text: string,
): SearchCriterion => ({ kind: 'contains', part, text })
const flag = (name: '\\Seen' | '\\Flagged'): SearchCriterion => ({ kind: 'flag', flag: name })
const keyword = (name: string): SearchCriterion => ({ kind: 'keyword', keyword: name })
const not = (of: SearchCriterion): SearchCriterion => ({ kind: 'not', of })
const and = (...of: SearchCriterion[]): SearchCriterion => ({ kind: 'and', of })
const or = (...of: SearchCriterion[]): SearchCriterion => ({ kind: 'or', of })
const all: SearchCriterion = { kind: 'all' }
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

const MAILS = [
  'From: Ada <ada@example.org>\r\nTo: Charles <charles@example.com>\r\nSubject: Engine\r\nDate: Sun, 1 Mar 2026 12:00:00 +0000\r\nMessage-ID: <one@example.org>\r\n\r\nThe engine weaves.\r\n',
  'From: Grace <grace@example.org>\r\nCc: Ada <ada@example.org>\r\nSubject: Compiler\r\nDate: Mon, 2 Mar 2020 12:00:00 +0000\r\nMessage-ID: <two@example.org>\r\n\r\nA nanosecond of wire.\r\n',
  `From: Ada <ada@example.org>\r\nSubject: =?utf-8?q?Stra=C3=9Fenf=C3=BChrung?=\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\nDate: Tue, 3 Mar 2026 12:00:00 +0000\r\nMessage-ID: <three@example.org>\r\n\r\nGrüße aus 日本語 ${'x'.repeat(5_000)}\r\n`,
]

const SERVERS: readonly (readonly [string, () => Promise<LabServer>])[] = [
  ['Dovecot', () => startLabDovecot()],
  ['Dovecot without LITERAL+', () => startLabDovecot({ without: ['LITERAL+'] })],
  ['Courier', () => startLabCourier()],
  ['Cyrus', () => startLabCyrus()],
  ['Gmail', () => startGmail()],
]

describe.each(SERVERS)('%s finds', (_, start) => {
  let server: LabServer
  let session: Awaited<ReturnType<typeof openSession>>
  beforeAll(async () => {
    server = await start()
    const user = await server.addUser()
    const other = await server.secondClient(user)
    const [one = '', two = '', three = ''] = MAILS
    await other.append('INBOX', one, ['\\Seen', 'Work'], new Date('2026-03-01T12:00:00Z'))
    await other.append('INBOX', two, ['\\Flagged'], new Date('2026-03-02T12:00:00Z'))
    await other.append('INBOX', three, [], new Date('2026-03-03T12:00:00Z'))
    session = await openLastingSession(server, user)
  })
  afterAll(async () => {
    await session.close()
    await server.stop()
  })

  const cases: readonly (readonly [string, SearchCriterion, readonly number[]])[] = [
    ['everything', all, [1, 2, 3]],
    ['text in headers and body', contains('text', 'ENGINE'), [1]],
    ['text in the body alone', contains('body', 'nanosec'), [2]],
    ['an address', contains('from', 'ada@example'), [1, 3]],
    ['a recipient', contains('to', 'Charles'), [1]],
    ['a copied recipient', contains('cc', 'ada'), [2]],
    ['a subject', contains('subject', 'comp'), [2]],
    ['other characters in a header', contains('subject', 'führung'), [3]],
    ['other characters in a body', contains('body', '日本語'), [3]],
    ['a header', { kind: 'header', name: 'Message-ID', text: 'two@example.org' }, [2]],
    ['a flag', flag('\\Seen'), [1]],
    ['what has no flag', not(flag('\\Seen')), [2, 3]],
    ['a keyword, in any case', keyword('work'), [1]],
    ['a keyword that nothing has', keyword('&ZeVnLA-'), []],
    [
      'the day of the Date header',
      { kind: 'date', of: 'date_header', than: 'before', dayMs: day('2021-01-01') },
      [2],
    ],
    [
      'the day of arrival',
      { kind: 'date', of: 'internal_date', than: 'since', dayMs: day('2026-03-03') },
      [3],
    ],
    ['what is larger', { kind: 'size', than: 'larger', bytes: 1_000 }, [3]],
    ['what is smaller', { kind: 'size', than: 'smaller', bytes: 1_000 }, [1, 2]],
    ['nothing smaller than nothing', { kind: 'size', than: 'smaller', bytes: 0 }, []],
    ['nothing that large', { kind: 'size', than: 'larger', bytes: 2 ** 40 }, []],
    ['everything smaller than that', { kind: 'size', than: 'smaller', bytes: 2 ** 40 }, [1, 2, 3]],
    ['both of two', and(contains('from', 'ada'), contains('text', 'engine')), [1]],
    [
      'both of two in the same header',
      and(contains('from', 'ada'), contains('from', 'org')),
      [1, 3],
    ],
    [
      'one of five',
      or(...['engine', 'wire', 'none', 'nobody', 'never'].map((word) => contains('text', word))),
      [1, 2],
    ],
    [
      'nested',
      or(
        and(not(flag('\\Seen')), or(flag('\\Flagged'), contains('subject', 'führ'))),
        and(keyword('Work'), not(or(flag('\\Flagged'), contains('text', 'wire')))),
      ),
      [1, 2, 3],
    ],
    ['what is not both', not(and(flag('\\Seen'), contains('text', 'engine'))), [2, 3]],
    ['nothing by what looks like keys', contains('text', '" OR ALL SEEN "'), []],
    ['nothing by what looks like a literal', contains('text', '{3}'), []],
    ['nothing by a backslash', contains('text', 'a\\'), []],
    ['nothing by NIL', contains('text', 'NIL'), []],
    ['nothing by an asterisk', contains('text', '*%'), []],
  ]
  test.each(cases)('%s', async (_name, criterion, uids) => {
    expect(await session.search(criterion)).toEqual(uids)
  })

  test.each(['nul\0', 'a\r\nx LOGOUT', 'ü\nb'])('refuses to send %j', async (text) => {
    await expect(session.search(contains('text', text))).rejects.toThrow('cannot be sought')
    await expect(session.search(keyword('a b'))).rejects.toThrow('no atom')
    expect(await session.search(all)).toEqual([1, 2, 3])
  })
})

describe('of a server that misbehaves', () => {
  async function behaving(answer: Misbehaviour['answer'] & object) {
    const imap = await startHostileImap()
    onTestFinished(() => imap.stop())
    const session = await openSession(imap, imap.user)
    imap.behave({ answer })
    return session
  }
  const searching = (reply: (tag: string, args: string) => string) =>
    behaving(({ command, tag, args }, honest) =>
      command === 'UID SEARCH' ? reply(tag, args) : honest,
    )

  test('and knows no other character set, the rest is asked', async () => {
    const asked: string[] = []
    const session = await searching((tag, args) => {
      asked.push(args)
      return args.includes('CHARSET')
        ? `${tag} NO [BADCHARSET (US-ASCII)] Unknown\r\n`
        : `* SEARCH 3 1\r\n${tag} OK Done\r\n`
    })
    const criterion = and(contains('text', 'ü'), flag('\\Seen'), or(contains('to', 'é'), all))
    expect(await session.search(criterion)).toEqual([1, 3])
    expect(asked.at(-1)).toBe('ALL SEEN ALL')
  })

  test('the refusal of a plain search is thrown, and the session lives', async () => {
    const session = await searching((tag) => `${tag} NO Not today\r\n`)
    await expect(session.search(all)).rejects.toMatchObject({
      kind: 'refused',
      message: 'Not today',
    })
    await session.select('Work')
  })

  test.each([
    ['* SEARCH 3 1 3\r\n* SEARCH 5\r\n', [1, 3, 5]],
    ['* SEARCH 1 -2 x 1e400 99999999999 4\r\n', [1, 4]],
    ['* SEARCH\r\n', []],
    ['', []],
    ['* ESEARCH (TAG "x") UID ALL 2:4,9\r\n', [2, 3, 4, 9]],
    ['* ESEARCH (TAG "x") UID COUNT 0\r\n', []],
    ['* ESEARCH (TAG "x") UID ALL\r\n', []],
  ])('%j is read', async (answer, uids) => {
    const session = await searching((tag) => `${answer}${tag} OK Done\r\n`)
    expect(await session.search(all)).toEqual(uids)
  })

  test('a range over all numbers is refused', async () => {
    const session = await searching(
      (tag) => `* ESEARCH (TAG "x") UID ALL 1:4294967295\r\n${tag} OK Done\r\n`,
    )
    await expect(session.search(all)).rejects.toMatchObject({ kind: 'refused' })
  })
})
