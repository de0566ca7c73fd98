import { z } from '@hono/zod-openapi'

export const Moved = z
  .object({
    status: z.literal('ok').openapi({ description: 'Always `ok`.' }),
    folder_id: z.int().positive().openapi({ description: 'The folder it is in now.' }),
  })
  .openapi('Moved', {
    description: 'Where a message was moved.',
    example: { status: 'ok', folder_id: 4 },
  })
