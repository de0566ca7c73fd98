import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../cli/commands/local/demo/random.ts'
import { toImap } from '../../../../domain/search/deep/to-imap.ts'
import type { SearchExpression } from '../../../../domain/search/expression.ts'
import type { MailSession } from '../../../../runtime/ports/mail-server.ts'
import { startLabDovecot } from '../../../lab/dovecot.ts'
import { startGmail } from '../../../lab/gmail-imap.ts'
import type { LabServer } from '../../../lab/lab-server.ts'
import { openLastingSession } from '../../../support/imap-session.ts'
import {
  exactFact,
  isMeant,
  randomExpression,
  randomMail,
} from '../../../support/searchable-mails.ts'

const isLong = process.env['SVC_TEST_LONG'] === '1'
const MAILS = 60
const QUERIES = isLong ? 5_000 : 300
const MAILBOX = {
  isOf: () => true,
  isIn: () => true,
  messageIdsOf: () => [],
  isOfDrafts: false,
  hasGmailLabels: false,
}

const SERVERS: readonly (readonly [string, () => Promise<LabServer>])[] = [
  ['Dovecot', () => startLabDovecot()],
  ['Gmail', () => startGmail()],
]

describe.each(SERVERS)('of a generated mailbox on %s', (_name, start) => {
  const random = seededRandom(20_261_122)
  const mails = Array.from({ length: MAILS }, (_, index) => randomMail(random, index + 1))
  let server: LabServer
  let session: MailSession
  beforeAll(async () => {
    server = await start()
    const user = await server.addUser()
    const other = await server.secondClient(user)
    for (const { source, flags, internalDateMs } of mails)
      await other.append('INBOX', source, [...flags], new Date(internalDateMs))
    session = await openLastingSession(server, user)
  })
  afterAll(async () => {
    await session.close()
    await server.stop()
  })

  const meant = (expression: SearchExpression) =>
    mails.flatMap((mail, index) => (isMeant(expression, mail) ? [index + 1] : []))
  const answered = async (expression: SearchExpression) => {
    const criterion = toImap(expression, MAILBOX)
    return criterion ? session.search(criterion) : []
  }

  test(`the answers to ${QUERIES} queries hold what is meant`, async () => {
    let isAnyNarrow = 0
    let isAnyMeant = 0
    for (let count = 0; count < QUERIES; count += 1) {
      const expression = randomExpression(random)
      const uids = meant(expression)
      const found = await answered(expression)
      expect(found, JSON.stringify(expression)).toEqual(expect.arrayContaining(uids))
      if (found.length < MAILS) isAnyNarrow += 1
      if (uids.length > 0) isAnyMeant += 1
    }
    expect(isAnyNarrow).toBeGreaterThan(QUERIES / 3)
    expect(isAnyMeant).toBeGreaterThan(QUERIES / 3)
  })

  test('for flags, sizes and keywords they are no more than that', async () => {
    for (let count = 0; count < QUERIES / 3; count += 1) {
      const [a, b] = [exactFact(random), exactFact(random)]
      const not: SearchExpression = { kind: 'not', of: b }
      const expression = random.pick<SearchExpression>([
        a,
        not,
        { kind: 'and', of: [a, not] },
        { kind: 'or', of: [a, b] },
        { kind: 'not', of: { kind: 'or', of: [a, b] } },
      ])
      expect(await answered(expression), JSON.stringify(expression)).toEqual(meant(expression))
    }
  })
})
