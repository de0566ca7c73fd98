import { z } from '@hono/zod-openapi'
import { endpoint, open } from '../kit/endpoint.ts'

const OpenApiDocument = z
  .looseObject({
    openapi: z.string().openapi({ description: 'The version of the OpenAPI specification.' }),
  })
  .openapi('OpenApiDocument', {
    description: 'An OpenAPI description.',
    example: { openapi: '3.1.0' },
  })

export const getOpenApi = endpoint({
  route: open({
    method: 'get',
    path: '/v1/openapi.json',
    operationId: 'getOpenApi',
    summary: 'The description of this API',
    description: 'OpenAPI 3.1, of the build that answers. Never gated.',
    tags: ['service'],
    responses: {
      200: {
        description: 'The description.',
        content: { 'application/json': { schema: OpenApiDocument } },
      },
    },
  }),
  handler: (c) => c.json(c.var.document(), 200),
})
