import { z } from '@hono/zod-openapi'
import type { ChangeRow } from '../../domain/changes/list.ts'
import { collectionOf } from '../kit/collection.ts'

const Seq = z.int().nonnegative()

const Change = z
  .object({
    seq: Seq.openapi({ description: 'Its number; a later change has a higher one.' }),
    kind: z.enum(['message', 'folder', 'draft', 'outbox', 'account']).openapi({
      description: 'What changed.',
    }),
    id: z.int().positive().openapi({ description: 'The id of what changed.' }),
    deleted: z.literal(true).optional().openapi({
      description: 'It is gone. Absent otherwise.',
    }),
  })
  .openapi('Change', {
    description: 'That something changed; read it to see how.',
    example: { seq: 4711, kind: 'message', id: 17 },
  })

export const ChangeList = collectionOf(Change)
  .extend({
    seq: Seq.openapi({
      description:
        'The newest number there is: the `since` of the next look, once the last page is read.',
    }),
  })
  .openapi('ChangeList', { description: 'Changes in the order they happened.' })

export const changeJson = (row: ChangeRow): z.infer<typeof Change> => ({
  seq: row.seq,
  kind: row.kind,
  id: row.entityId,
  deleted: row.deleted ? true : undefined,
})
