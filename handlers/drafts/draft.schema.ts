import { z } from '@hono/zod-openapi'
import type { DraftRecord } from '../../domain/drafts/draft-record.ts'
import { collectionOf } from '../kit/collection.ts'
import { pathId } from '../kit/query-types.ts'
import { OutgoingAttachments } from '../messages/outgoing-attachment.schema.ts'

export const DraftParams = z.object({ id: pathId('The id of the draft.') })

const RECIPIENTS_CHARS_MAX = 400_000
const SUBJECT_CHARS_MAX = 10_000

const recipients = (description: string) =>
  z.string().max(RECIPIENTS_CHARS_MAX).openapi({ description })

const fields = {
  account: z.string().openapi({
    description: 'The name of the account that it is written in; empty for none.',
  }),
  to: recipients('Recipients, separated by commas (an address list of RFC 5322 section 3.4).'),
  cc: recipients('The same of those who get a copy.'),
  bcc: recipients('The same of those who get a copy and are not named.'),
  subject: z.string().max(SUBJECT_CHARS_MAX).openapi({ description: 'The subject.' }),
  body: z.string().openapi({ description: 'The text, as `mode` says.' }),
  mode: z.enum(['plain', 'html', 'markdown']).openapi({ description: 'What the body is.' }),
}

const kind = z.enum(['new', 'reply', 'reply_all', 'forward']).openapi({
  description: 'What it is to be.',
})
const inReplyTo = z.int().positive().openapi({
  description: 'The id of the message that is answered or forwarded.',
})

const attachments = OutgoingAttachments.removeDefault().openapi({
  description: 'All that is attached, 25 MiB in all before base64.',
})

const Attachment = z
  .object({
    index: z.int().nonnegative().openapi({ description: 'Its place in the list, from 0.' }),
    filename: z.string().openapi({ description: 'Its file name.' }),
    content_type: z.string().openapi({ description: 'Its media type.' }),
    size: z.int().nonnegative().openapi({ description: 'Bytes.' }),
  })
  .openapi('DraftAttachment', {
    description: 'Something that is attached to a draft.',
    example: { index: 0, filename: 'notes.txt', content_type: 'text/plain', size: 7 },
  })

const EXAMPLE = {
  account: 'Work',
  to: 'Ada Lovelace <ada@example.org>, charles@example.com',
  subject: 'The engine',
  body: 'It can do **whatever** we know how to order it to perform.',
  mode: 'markdown' as const,
}

const RECORD_EXAMPLE = {
  id: 5,
  ...EXAMPLE,
  cc: '',
  bcc: '',
  kind: 'new' as const,
  attachments: [{ index: 0, filename: 'notes.txt', content_type: 'text/plain', size: 7 }],
  updated_at: '2026-03-01T12:00:00.000Z',
}

export const Draft = z
  .object({
    id: z.int().positive().openapi({ description: 'The id of the draft.' }),
    ...fields,
    account: z.string().optional().openapi({ description: 'The name of its account.' }),
    kind,
    in_reply_to: inReplyTo.optional(),
    attachments: z.array(Attachment).readonly().openapi({ description: 'What is attached.' }),
    updated_at: z.iso.datetime().openapi({ description: 'When it was last written.' }),
  })
  .openapi('Draft', { description: 'A message that is being written.', example: RECORD_EXAMPLE })

export const DraftList = collectionOf(Draft).openapi('DraftList', {
  description: 'A page of drafts, those written last first.',
  example: { data: [RECORD_EXAMPLE], next_cursor: '' },
})

export const DraftChanges = z
  .strictObject({ ...fields, attachments })
  .partial()
  .openapi('DraftChanges', {
    description: 'What to change of a draft; what is absent stays as it is, and `""` clears.',
    example: { subject: 'The analytical engine', cc: '' },
  })

export const NewDraft = z
  .strictObject({ ...fields, kind, in_reply_to: inReplyTo, attachments })
  .partial()
  .openapi('NewDraft', {
    description: 'A draft to create, which may be incomplete. It is checked when it is sent.',
    example: EXAMPLE,
  })

export const draftJson = (draft: DraftRecord) => ({
  id: draft.id,
  account: draft.account ?? undefined,
  to: draft.to,
  cc: draft.cc,
  bcc: draft.bcc,
  subject: draft.subject,
  body: draft.body,
  mode: draft.mode,
  kind: draft.kind,
  in_reply_to: draft.inReplyTo ?? undefined,
  attachments: draft.attachments.map(({ filename, contentType, size }, index) => ({
    index,
    filename,
    content_type: contentType,
    size,
  })),
  updated_at: new Date(draft.updatedAt).toISOString(),
})
