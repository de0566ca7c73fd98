import { z } from '@hono/zod-openapi'

const labels = (description: string) =>
  z.array(z.string()).max(100).readonly().openapi({ description })

/** The fields of a change, as PATCH takes them. */
export const changeFields = {
  read: z.boolean().optional().openapi({ description: 'Whether it counts as read.' }),
  starred: z.boolean().optional().openapi({ description: 'Whether it is starred.' }),
  labels_add: labels('Labels to add, before any is removed.').optional(),
  labels_remove: labels('Labels to remove.').optional(),
  folder_id: z
    .int()
    .positive()
    .optional()
    .openapi({ description: 'The folder to move it to, of the same account.' }),
}

export const MessageChange = z.strictObject(changeFields).openapi('MessageChange', {
  description: 'What to change of a message. What is absent stays as it is.',
  example: { read: true, labels_add: ['science'] },
})

/** In the words of the domain. */
export const changeSet = (change: z.infer<typeof MessageChange>) => ({
  read: change.read,
  starred: change.starred,
  labelsAdd: change.labels_add,
  labelsRemove: change.labels_remove,
  folderId: change.folder_id,
})
