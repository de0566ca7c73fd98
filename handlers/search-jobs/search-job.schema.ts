import { z } from '@hono/zod-openapi'
import type * as jobs from '../../domain/search/jobs/get.ts'
import type { StartedSearch } from '../../domain/search/jobs/start.ts'
import { Message, MESSAGE_EXAMPLE, messageJson } from '../messages/message.schema.ts'

const EXAMPLE = {
  id: 'search_6a4c3b2d1e0f4f3c8f0e7b0c1c1e5a5e',
  query: 'engine newer_than:1y',
  started_at: '2026-03-01T12:00:00.000Z',
}

const started = {
  id: z.string().openapi({ description: 'The id of the search.' }),
  query: z.string().openapi({ description: 'What is searched for.' }),
  started_at: z.iso.datetime().openapi({ description: 'When it was started.' }),
}

export const SearchJobParams = z.object({
  id: z.string().openapi({ description: 'The id of the search.' }),
})

export const StartedSearchJob = z
  .object({
    ...started,
    status: z.literal('running').openapi({ description: 'Ask for the search until it is done.' }),
  })
  .openapi('StartedSearchJob', {
    description: 'A search of the mail servers that was started.',
    example: { ...EXAMPLE, status: 'running' },
  })

export const SearchJob = z
  .object({
    ...started,
    status: z.enum(['running', 'done']).openapi({
      description: '`done` also where servers failed: `warnings` names them.',
    }),
    progress: z
      .object({
        folders_done: z.int().nonnegative().openapi({ description: 'How many were searched.' }),
        folders_total: z.int().nonnegative().openapi({ description: 'How many there are.' }),
      })
      .optional()
      .openapi({ description: 'Of the folders that are known so far.' }),
    warnings: z.array(z.string()).readonly().openapi({
      description: 'What could not be searched, or not as it was asked for, and why.',
    }),
    results: z.array(Message).readonly().optional().openapi({
      description: 'What was found and is still there, newest first; absent while the search runs.',
    }),
  })
  .openapi('SearchJob', {
    description: 'A search of the mail servers.',
    example: {
      ...EXAMPLE,
      status: 'done' as const,
      progress: { folders_done: 12, folders_total: 12 },
      warnings: [],
      results: [MESSAGE_EXAMPLE],
    },
  })

export const startedSearchJobJson = ({ id, query, startedAt }: StartedSearch) => ({
  id,
  status: 'running' as const,
  query,
  started_at: new Date(startedAt).toISOString(),
})

export const searchJobJson = ({
  id,
  status,
  query,
  startedAt,
  progress,
  warnings,
  results,
}: jobs.SearchJob) => ({
  id,
  status,
  query,
  started_at: new Date(startedAt).toISOString(),
  progress: progress && {
    folders_done: progress.foldersDone,
    folders_total: progress.foldersTotal,
  },
  warnings,
  results: results?.map(messageJson),
})
