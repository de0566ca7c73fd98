import { z } from '@hono/zod-openapi'
import type { MessageDetail as Detail } from '../../domain/messages/get.ts'
import type { MessageHeaders } from '../../domain/messages/headers.ts'
import { headersError, headersFields, nestedHeadersJson } from './message-headers.schema.ts'
import { MESSAGE_EXAMPLE, Message, messageJson } from './message.schema.ts'

const Attachment = z
  .object({
    index: z.int().nonnegative().openapi({ description: 'Its zero-based place in the list.' }),
    filename: z.string().openapi({ description: 'A name that is safe to save it under.' }),
    content_type: z.string().openapi({ description: 'Its media type.' }),
    size: z.int().nonnegative().openapi({ description: 'Decoded bytes.' }),
    inline: z.boolean().openapi({ description: 'Whether the HTML part shows it.' }),
    content_id: z.string().optional().openapi({
      description: 'What the HTML part calls it in `cid:` links.',
    }),
  })
  .openapi('Attachment', {
    description: 'What is known of an attachment without its bytes.',
    example: {
      index: 0,
      filename: 'notes.pdf',
      content_type: 'application/pdf',
      size: 9120,
      inline: false,
    },
  })

export const MessageDetail = Message.extend({
  body: z
    .object({
      text: z.string().optional().openapi({
        description: 'The text/plain part, or text made from the HTML part where there is none.',
      }),
      html: z.string().optional().openapi({
        description: 'The HTML part as received, with nothing removed: never show it unsanitised.',
      }),
    })
    .optional()
    .openapi({ description: 'What was asked for of the body. Absent for `body=none`.' }),
  body_error: z.string().optional().openapi({
    description: 'Why the body, or a part of it, could not be had.',
  }),
  headers: z.object(headersFields).optional().openapi({
    description: 'The header, where it was asked for.',
  }),
  headers_error: headersError,
  attachments: z.array(Attachment).openapi({ description: 'What is attached.' }),
}).openapi('MessageDetail', {
  description: 'A message with its body and its list of attachments.',
  example: {
    ...MESSAGE_EXAMPLE,
    body: { text: 'The engine can do whatever we know how to order it to perform.' },
    attachments: [
      {
        index: 0,
        filename: 'notes.pdf',
        content_type: 'application/pdf',
        size: 9120,
        inline: false,
      },
    ],
  },
})

export const messageDetailJson = (
  detail: Detail,
  headers: MessageHeaders | undefined,
): z.infer<typeof MessageDetail> => ({
  ...messageJson(detail),
  body: detail.body && { ...detail.body },
  body_error: detail.bodyError,
  ...(headers ? nestedHeadersJson(headers) : {}),
  attachments: detail.attachments.map(attachmentJson),
})

const attachmentJson = (
  info: Detail['attachments'][number],
  index: number,
): z.infer<typeof Attachment> => ({
  index,
  filename: info.filename,
  content_type: info.contentType,
  size: info.size,
  inline: info.inline,
  content_id: info.contentId,
})
