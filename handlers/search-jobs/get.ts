import * as jobs from '../../domain/search/jobs/get.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { notFoundResponse } from '../kit/error-responses.ts'
import { SearchJob, searchJobJson, SearchJobParams } from './search-job.schema.ts'

export const getSearchJob = endpoint({
  route: scoped('mail:read', {
    method: 'get',
    path: '/v1/search/jobs/{id}',
    operationId: 'getSearchJob',
    summary: 'Read a deep search',
    description:
      'How a search of the mail servers stands and, once it is done, what it has found. The newest 32 searches are kept.',
    tags: ['messages'],
    request: { params: SearchJobParams },
    responses: {
      200: { description: 'The search.', content: { 'application/json': { schema: SearchJob } } },
      ...notFoundResponse,
    },
  }),
  handler: async (c) => {
    const { id } = c.req.valid('param')
    return c.json(searchJobJson(await jobs.getSearchJob(c.var.runtime, id)), 200)
  },
})
