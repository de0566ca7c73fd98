import { authenticated, endpoint } from '../kit/endpoint.ts'
import { TokenSelf } from './token.schema.ts'

export const getTokenSelf = endpoint({
  route: authenticated({
    method: 'get',
    path: '/v1/tokens/self',
    operationId: 'getTokenSelf',
    summary: 'The token of this request',
    description: 'Answers any valid token, whatever its scopes.',
    tags: ['tokens'],
    responses: {
      200: { description: 'The token.', content: { 'application/json': { schema: TokenSelf } } },
    },
  }),
  handler: (c) => {
    const { label, scopes } = c.var.caller
    return c.json({ label, scopes: [...scopes] }, 200)
  },
})
