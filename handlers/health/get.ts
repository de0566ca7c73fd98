import { z } from '@hono/zod-openapi'
import { countAccounts } from '../../domain/accounts/list.ts'
import { endpoint, open } from '../kit/endpoint.ts'

const Health = z
  .object({
    ok: z.boolean().openapi({ description: 'Whether the service and its store answer.' }),
    accounts: z.int().nonnegative().openapi({ description: 'How many mail accounts there are.' }),
  })
  .openapi('Health', {
    description: 'A sign of life. Holds no mail.',
    example: { ok: true, accounts: 2 },
  })

export const getHealth = endpoint({
  route: open({
    method: 'get',
    path: '/health',
    operationId: 'getHealth',
    summary: 'Whether the service is up',
    description: 'Asks the store for the number of accounts. Never gated.',
    tags: ['service'],
    responses: {
      200: {
        description: 'The service is up.',
        content: { 'application/json': { schema: Health } },
      },
    },
  }),
  handler: async (c) => c.json({ ok: true, accounts: await countAccounts(c.var.runtime) }, 200),
})
