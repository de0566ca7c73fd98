import { z } from '@hono/zod-openapi'

/** The entity tag of a draft (RFC 9110 section 8.8.3): its revision. */
export const draftTag = ({ revision }: { readonly revision: number }): string => `"${revision}"`

/** `If-Match`: which revisions may be changed. */
export const IfMatch = z.object({
  'if-match': z.string().optional().openapi({
    description: 'Changes the draft only if it still has one of these entity tags.',
    example: '"3"',
  }),
})

/**
 * The revisions that an `If-Match` names; undefined where it names none in particular, or there is none. A tag that was
 * not made here matches nothing (RFC 9110 section 13.1.1).
 */
export function revisionsOf(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  return [...ifMatch.matchAll(/(?<!W\/)"(\d{1,15})"/g)].map(([, revision]) => Number(revision))
}

/** How an answer with a draft describes its entity tag. */
export const tagHeader = {
  ETag: {
    description: 'The entity tag of the draft, for `If-Match`.',
    schema: { type: 'string' as const },
  },
}
