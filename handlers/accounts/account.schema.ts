import { z } from '@hono/zod-openapi'
import type { AccountRow } from '../../domain/accounts/list.ts'
import { collectionOf } from '../kit/collection.ts'

const Account = z
  .object({
    name: z.string().openapi({ description: 'Unique without regard to case; filters take it.' }),
    email: z.string().openapi({ description: 'The address it sends from.' }),
    state: z.enum(['syncing', 'ok', 'error', 'paused']).openapi({
      description: 'How its sync stands.',
    }),
    error: z.string().optional().openapi({
      description: 'Why it is in the state `error`, in the words of the server where it gave any.',
    }),
    last_sync_at: z.iso.datetime().optional().openapi({
      description: 'When a sync last completed. Absent before the first.',
    }),
    messages: z.int().nonnegative().openapi({ description: 'Messages in all its folders.' }),
    unread: z.int().nonnegative().openapi({ description: 'How many of them are unread.' }),
    folders: z.int().nonnegative().openapi({ description: 'Folders that can hold mail.' }),
    progress: z
      .object({
        done: z.int().nonnegative().openapi({ description: 'Messages taken in so far.' }),
        total: z.int().nonnegative().openapi({ description: 'Messages there are.' }),
      })
      .optional()
      .openapi({ description: 'How far a first sync is. Absent when none runs.' }),
  })
  .openapi('Account', {
    description: 'A mail account.',
    example: {
      name: 'Work',
      email: 'ada@example.org',
      state: 'ok',
      last_sync_at: '2026-03-01T12:00:00.000Z',
      messages: 1204,
      unread: 17,
      folders: 9,
    },
  })

export const AccountList = collectionOf(Account).openapi('AccountList', {
  description: 'All accounts, in the order they were added.',
})

export const accountJson = (row: AccountRow): z.infer<typeof Account> => ({
  name: row.name,
  email: row.email,
  state: row.state,
  error: row.error ?? undefined,
  last_sync_at: row.lastSyncAt === null ? undefined : new Date(row.lastSyncAt).toISOString(),
  messages: row.messages,
  unread: row.unread,
  folders: row.folders,
  progress:
    row.progressTotal === null
      ? undefined
      : { done: row.messages, total: Math.max(row.messages, row.progressTotal) },
})
