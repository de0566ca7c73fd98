import { getDraft } from '../../domain/drafts/get.ts'
import { getFilter } from '../../domain/filters/get.ts'
import type { Answer } from '../../domain/idempotency/answer.ts'
import type { Bound } from '../../domain/idempotency/bind.ts'
import { getSubmission } from '../../domain/submission/get-submission.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { draftJson } from '../drafts/draft.schema.ts'
import { filterJson } from '../filters/filter.schema.ts'
import { scheduledJson, sentJson } from '../messages/submission.schema.ts'

type Recall = (ctx: Needs<'store'>, id: number) => Promise<Recalled>

interface Recalled {
  readonly status: number
  readonly json: object
}

/** How a request is answered that has created this. */
const RECALL: Readonly<Record<Bound['kind'], Recall>> = {
  outbox: async (ctx, id) => {
    const submission = await getSubmission(ctx, id)
    return submission.kind === 'sent'
      ? { status: 200, json: sentJson(submission) }
      : { status: 202, json: scheduledJson(submission) }
  },
  filter: async (ctx, id) => ({ status: 201, json: filterJson(await getFilter(ctx, id)) }),
  draft: async (ctx, id) => ({ status: 201, json: draftJson(await getDraft(ctx, { id })) }),
}

/** The answer to the request that created this, made once more. Throws `not_found`. */
export async function recalledAnswer(
  ctx: Needs<'store'>,
  { kind, entityId }: Bound,
): Promise<Answer> {
  const { status, json } = await RECALL[kind](ctx, entityId)
  return { status, body: JSON.stringify(json) }
}
