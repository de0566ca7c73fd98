import { z } from '@hono/zod-openapi'
import * as folders from '../../domain/folders/list-tree.ts'
import { collection } from '../kit/collection.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { FolderList, accountFoldersJson } from './folder.schema.ts'

const Query = z.object({
  account: z.string().optional().openapi({
    description: 'The name of an account, without regard to case: its tree alone.',
  }),
})

export const listFolders = endpoint({
  route: scoped('mail:read', {
    method: 'get',
    path: '/v1/folders',
    operationId: 'listFolders',
    summary: 'List the folders',
    description:
      "Each account's folder tree. Siblings stand with special uses first, then by name.",
    tags: ['folders'],
    request: { query: Query },
    responses: {
      200: {
        description: 'The folder trees.',
        content: { 'application/json': { schema: FolderList } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const items = await folders.listFolders(c.var.runtime, c.req.valid('query'))
    return c.json(collection({ items }, accountFoldersJson), 200)
  },
})
