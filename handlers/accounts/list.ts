import * as accounts from '../../domain/accounts/list.ts'
import { collection } from '../kit/collection.ts'
import { endpoint, scoped } from '../kit/endpoint.ts'
import { AccountList, accountJson } from './account.schema.ts'

export const listAccounts = endpoint({
  route: scoped('accounts:read', {
    method: 'get',
    path: '/v1/accounts',
    operationId: 'listAccounts',
    summary: 'List the accounts',
    description: 'Every account with its sync state and its counts.',
    tags: ['accounts'],
    responses: {
      200: {
        description: 'The accounts.',
        content: { 'application/json': { schema: AccountList } },
      },
    },
  }),
  handler: async (c) => {
    const items = await accounts.listAccounts(c.var.runtime)
    return c.json(collection({ items }, accountJson), 200)
  },
})
