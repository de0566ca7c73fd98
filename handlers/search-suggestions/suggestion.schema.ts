import { z } from '@hono/zod-openapi'
import type { Suggestions as Found } from '../../domain/search/suggestions/suggest.ts'
import { Address } from '../messages/message.schema.ts'

const SuggestedFolder = z
  .object({
    id: z.int().positive().openapi({ description: 'The id of the folder.' }),
    account: z.string().openapi({ description: 'The name of its account.' }),
    path: z.string().openapi({ description: 'The whole path, as the server names it.' }),
    special_use: z
      .enum(['inbox', 'sent', 'drafts', 'archive', 'spam', 'trash'])
      .optional()
      .openapi({ description: 'Its role (RFC 6154). Absent without one.' }),
  })
  .openapi('SuggestedFolder', {
    description: 'A folder that may be meant.',
    example: { id: 4, account: 'Work', path: 'Archive', special_use: 'archive' },
  })

export const Suggestions = z
  .object({
    senders: z.array(Address).readonly().openapi({ description: 'Who has written.' }),
    recipients: z.array(Address).readonly().openapi({
      description: 'Who may be written to: first those who were, then who wrote or was addressed.',
    }),
    labels: z.array(z.string()).readonly().openapi({ description: 'Labels of messages.' }),
    folders: z.array(SuggestedFolder).readonly().openapi({ description: 'Folders.' }),
  })
  .openapi('Suggestions', {
    description: 'What somebody who types may mean, the most likely first.',
    example: {
      senders: [{ name: 'Ada Lovelace', address: 'ada@example.org' }],
      recipients: [{ name: 'Ada Lovelace', address: 'ada@example.org' }],
      labels: ['adventures'],
      folders: [],
    },
  })

export const suggestionsJson = ({ senders, recipients, labels, folders }: Found) => ({
  senders,
  recipients,
  labels,
  folders: folders.map(({ id, account, path, specialUse }) => ({
    id,
    account,
    path,
    ...(specialUse !== null && { special_use: specialUse }),
  })),
})
