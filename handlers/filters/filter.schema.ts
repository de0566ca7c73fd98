import { z } from '@hono/zod-openapi'
import type { FilterRecord } from '../../domain/filters/filter-record.ts'
import { collectionOf } from '../kit/collection.ts'
import { pathId } from '../kit/query-types.ts'

export const FilterParams = z.object({ id: pathId('The id of the rule.') })

const Condition = z
  .strictObject({
    field: z.enum(['from', 'to', 'subject', 'body']).openapi({
      description:
        'Where to look: `from` is name and address, `to` is To and Cc, `body` is the full text.',
    }),
    op: z.enum(['contains', 'regex']).openapi({
      description:
        'How: `contains` finds a text anywhere and ignores case and accents; `regex` is a regular expression in RE2 ' +
        'syntax, case-sensitive, tried on each address of a field with its name and by itself.',
    }),
    value: z.string().min(1).max(1000).openapi({ description: 'What to look for.' }),
  })
  .openapi('FilterCondition', {
    description: 'What a message has to be like.',
    example: { field: 'subject', op: 'contains', value: 'invoice' },
  })

const Action = z
  .strictObject({
    type: z
      .enum(['move', 'label', 'forward', 'mark_read', 'star', 'delete', 'notify'])
      .openapi({ description: 'What is done. `delete` moves to Trash, `notify` leaves a notice.' }),
    arg: z
      .union([z.string(), z.int().positive()])
      .optional()
      .openapi({
        description:
          'The id or the path of the folder for `move`, the label for `label`, the address for `forward`. Nothing else ' +
          'takes one.',
      }),
  })
  .openapi('FilterAction', {
    description: 'What is done with a message.',
    example: { type: 'label', arg: 'bills' },
  })

const fields = {
  name: z.string().openapi({ description: 'What its owner calls it.' }),
  account: z.string().openapi({ description: 'The name of its account; empty for every account.' }),
  position: z.int().positive().openapi({
    description: 'Its place in the order of evaluation, from 1. A new place moves the others.',
  }),
  enabled: z.boolean().openapi({ description: 'Whether it is in force.' }),
  conditions: z.array(Condition).min(1).max(20).readonly().openapi({
    description: 'All of them have to hold.',
  }),
  actions: z.array(Action).min(1).max(20).readonly().openapi({
    description: 'All of them are done.',
  }),
}

const EXAMPLE = {
  name: 'Bills',
  account: 'Work',
  conditions: [{ field: 'subject', op: 'contains', value: 'invoice' } as const],
  actions: [
    { type: 'label', arg: 'bills' } as const,
    { type: 'move', arg: 'Archive/Bills' } as const,
  ],
}

const RECORD_EXAMPLE = { id: 3, position: 1, enabled: true, ...EXAMPLE }

export const Filter = z
  .object({
    id: z.int().positive().openapi({ description: 'The id of the rule.' }),
    ...fields,
    name: fields.name.optional(),
  })
  .openapi('Filter', {
    description: 'A rule for mail that arrives in an inbox.',
    example: RECORD_EXAMPLE,
  })

export const FilterList = collectionOf(Filter).openapi('FilterList', {
  description: 'All rules, in the order in which they are evaluated.',
  example: { data: [RECORD_EXAMPLE], next_cursor: '' },
})

export const NewFilter = z
  .strictObject({
    name: fields.name.optional(),
    account: fields.account.optional(),
    position: fields.position.optional(),
    enabled: fields.enabled.optional(),
    conditions: fields.conditions,
    actions: fields.actions,
  })
  .openapi('NewFilter', {
    description:
      'A rule to create: for every account, last and in force, unless it says otherwise.',
    example: EXAMPLE,
  })

export const FilterChanges = NewFilter.partial().openapi('FilterChanges', {
  description:
    'What to change of a rule; what is absent stays as it is. An empty `name` takes it away.',
  example: { enabled: false },
})

export const filterJson = (filter: FilterRecord) => ({
  id: filter.id,
  name: filter.name ?? undefined,
  account: filter.account ?? '',
  position: filter.position,
  enabled: filter.enabled,
  conditions: filter.conditions,
  actions: filter.actions,
})
