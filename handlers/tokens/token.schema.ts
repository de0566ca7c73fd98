import { z } from '@hono/zod-openapi'
import { SCOPES } from '../../domain/scopes.ts'

export const TokenSelf = z
  .object({
    label: z.string().openapi({ description: 'What its owner called it.' }),
    scopes: z.array(z.enum(SCOPES)).openapi({ description: 'What it may do.' }),
  })
  .openapi('TokenSelf', {
    description: 'The token that a request was made with.',
    example: { label: 'backup script', scopes: ['mail:read'] },
  })
