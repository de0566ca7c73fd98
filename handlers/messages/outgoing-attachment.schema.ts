import { z } from '@hono/zod-openapi'
import type { ApiEnv } from '../kit/env.ts'

const OutgoingAttachment = z
  .strictObject({
    filename: z.string().openapi({ description: 'Its name, without a path.' }),
    content_type: z.string().openapi({ description: 'Its media type.' }),
    data: z.string().openapi({ description: 'Its bytes in base64.' }),
  })
  .openapi('OutgoingAttachment', {
    description: 'Something to attach.',
    example: { filename: 'notes.txt', content_type: 'text/plain', data: 'Tm90ZSBHLgo=' },
  })

/** The attachments of a message to be sent, or of a draft. */
export const OutgoingAttachments = z
  .array(OutgoingAttachment)
  .readonly()
  .default([])
  .openapi({ description: 'What to attach, 25 MiB in all before base64.' })

/** As the domain takes them, with the long data that was taken out of the body. */
export const attachmentInputs = (
  attachments: z.infer<typeof OutgoingAttachments>,
  longData: ApiEnv['Variables']['longData'],
) =>
  attachments.map(({ filename, content_type, data }) => ({
    filename,
    contentType: content_type,
    data: longData?.get(data) ?? data,
  }))
