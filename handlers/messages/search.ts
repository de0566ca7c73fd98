import { startDeepSearch } from '../../domain/search/jobs/start.ts'
import { searchLocal } from '../../domain/search/search-local.ts'
import { collection } from '../kit/collection.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { StartedSearchJob, startedSearchJobJson } from '../search-jobs/search-job.schema.ts'
import { messageJson } from './message.schema.ts'
import { FoundMessages, MessageSearch } from './search.schema.ts'

export const searchMessages = endpoint({
  route: scoped('mail:read', {
    method: 'post',
    path: '/v1/messages/search',
    operationId: 'searchMessages',
    summary: 'Search messages',
    description:
      'The messages of all folders, spam and trash too, that a query asks for; newest first. Nothing in a query is an ' +
      'error: what is no valid operator is searched for as text and named in `warnings`. Paging stays right while mail ' +
      'arrives; a page is full unless it is the last or the search would take too long, and then `next_cursor` goes on.',
    tags: ['messages'],
    request: {
      body: { required: true, content: { 'application/json': { schema: MessageSearch } } },
    },
    responses: {
      200: {
        description: 'A page of messages.',
        content: { 'application/json': { schema: FoundMessages } },
      },
      202: {
        description:
          'A deep search was started, or one for the same runs already: ask for it by its id.',
        content: { 'application/json': { schema: StartedSearchJob } },
      },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { folder_id: folderId, query, limit, cursor, account, mode } = c.req.valid('json')
    const search = { query, limit, account, folderId }
    if (mode === 'deep')
      return c.json(startedSearchJobJson(await startDeepSearch(c.var.runtime, search)), 202)
    const { warnings, ...page } = await searchLocal(c.var.runtime, { ...search, cursor })
    return c.json({ ...collection(page, messageJson), warnings: [...warnings] }, 200)
  },
})
