import { z } from '@hono/zod-openapi'
import type { Page } from '../../domain/paging.ts'

const NextCursor = z.string().openapi({
  description: 'Where the next page starts, for `cursor`; empty when this page is the last.',
  example: '',
})

/** The envelope of a collection. `next_cursor` is always there, and empty after the last page. */
export const collectionOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item).openapi({ description: 'The items, in the order described above.' }),
    next_cursor: NextCursor,
  })

/** A page in its envelope, each item as `present` shows it. */
export const collection = <Item, Wire>(page: Page<Item>, present: (item: Item) => Wire) => ({
  data: page.items.map(present),
  next_cursor: page.nextCursor ?? '',
})
