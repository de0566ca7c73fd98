import { z } from '@hono/zod-openapi'

export const DeliveryStatus = z.enum(['pending', 'failed', 'ok', 'dead']).openapi({
  description:
    '`pending` was never tried, `failed` was and is tried again, `ok` was taken, and `dead` is not tried any more.',
})
