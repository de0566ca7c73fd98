import { z } from '@hono/zod-openapi'
import { collectionOf } from '../kit/collection.ts'
import { MESSAGE_EXAMPLE, Message } from './message.schema.ts'

const QUERY_HELP = `What to search for. Terms are all asked for; \`OR\` separates alternatives and binds weaker than
the blank between terms, brackets group, and \`-\` before a term or bracket excludes it.

Words and "phrases" are looked for in subject, addresses, attachment names and the whole text; \`word*\` finds words that
begin so. In one place: \`from: to: cc: bcc: subject: body: filename:\`. By place: \`label: account: in:\` (a special use
or the name or path of a folder) \`msgid: thread:\`. By state: \`is:read|unread|starred|unstarred|answered|draft\`,
\`has:attachment|link\`. By date: \`before: after: on:\` (YYYY-MM-DD, UTC days), \`older_than: newer_than:\` (\`7d\`, \`2w\`,
\`3m\`, \`1y\`). By size: \`larger: smaller:\` (\`500kb\`, \`2mb\`). Values may be quoted, and \`from:(ada OR grace)\` asks
for either.

Accents, case and full-width forms do not matter. Text in scripts without spaces is found by any two or more characters
of it, and addresses by each of their labels.`

export const MessageSearch = z
  .strictObject({
    query: z.string().openapi({ description: QUERY_HELP.replaceAll(/(?<!\n)\n(?!\n)/g, ' ') }),
    mode: z
      .enum(['local', 'deep'])
      .default('local')
      .openapi({
        description:
          '`local` searches what is stored here. `deep` asks the mail servers too, in all folders but spam and trash ' +
          'unless `in:` names them, stores what was not here, and is answered before it has ended.',
      }),
    limit: z.int().min(1).max(500).default(100).openapi({
      description: 'How many messages a page has at most.',
    }),
    cursor: z.string().optional().openapi({
      description: 'The `next_cursor` of the page before. Absent or empty for the first.',
    }),
    account: z.string().optional().openapi({
      description: 'The name of the account to search in, without regard to case.',
    }),
    folder_id: z.int().optional().openapi({ description: 'The folder to search in.' }),
  })
  .openapi('MessageSearch', {
    description: 'What to search for, and where.',
    example: { query: 'from:ada is:unread "the engine"', limit: 50 },
  })

export const FoundMessages = collectionOf(Message)
  .extend({
    warnings: z.array(z.string()).openapi({
      description: 'What of the query was read in another way than it looks, or was left out.',
    }),
  })
  .openapi('FoundMessages', {
    description: 'A page of messages that were found.',
    example: { data: [MESSAGE_EXAMPLE], next_cursor: '', warnings: [] },
  })
