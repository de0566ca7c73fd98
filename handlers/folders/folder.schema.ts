import { z } from '@hono/zod-openapi'
import type { FolderNode } from '../../domain/folders/folder-tree.ts'
import type { AccountFolders as Tree } from '../../domain/folders/list-tree.ts'
import { collectionOf } from '../kit/collection.ts'

interface FolderJson {
  id?: number | undefined
  name: string
  path: string
  special_use?: NonNullable<FolderNode['specialUse']> | undefined
  unread: number
  total: number
  synced: boolean
  children: FolderJson[]
}

/** The type is written out because the schema refers to itself. */
const Folder: z.ZodType<FolderJson> = z
  .object({
    id: z.int().positive().optional().openapi({
      description: 'Absent on a container that can hold no mail.',
    }),
    name: z.string().openapi({ description: 'The last part of its path.' }),
    path: z.string().openapi({ description: 'The whole path, as the server names it.' }),
    special_use: z
      .enum(['inbox', 'sent', 'drafts', 'archive', 'spam', 'trash'])
      .optional()
      .openapi({ description: 'Its role (RFC 6154). Absent without one.' }),
    unread: z.int().nonnegative().openapi({ description: 'Unread messages in it.' }),
    total: z.int().nonnegative().openapi({ description: 'Messages in it.' }),
    synced: z.boolean().openapi({
      description: 'Whether it is synced continuously, so that its changes become events.',
    }),
    children: z
      .lazy(() => z.array(Folder))
      .openapi({
        type: 'array',
        items: { $ref: '#/components/schemas/Folder' },
        description: 'The folders in it.',
      }),
  })
  .openapi('Folder', {
    description: 'A folder among its children.',
    example: {
      id: 1,
      name: 'INBOX',
      path: 'INBOX',
      special_use: 'inbox',
      unread: 3,
      total: 120,
      synced: true,
      children: [],
    },
  })

const AccountFolders = z
  .object({
    account: z.string().openapi({ description: 'The name of the account.' }),
    folders: z.array(Folder).openapi({ description: 'Its folders at the top level.' }),
  })
  .openapi('AccountFolders', { description: 'The folder tree of an account.' })

export const FolderList = collectionOf(AccountFolders).openapi('FolderList', {
  description: 'Folder trees, one for each account.',
})

export const accountFoldersJson = (tree: Tree): z.infer<typeof AccountFolders> => ({
  account: tree.account,
  folders: tree.folders.map(folderJson),
})

const folderJson = (node: FolderNode): FolderJson => ({
  id: node.id,
  name: node.name,
  path: node.path,
  special_use: node.specialUse,
  unread: node.unread,
  total: node.total,
  synced: node.synced,
  children: node.children.map(folderJson),
})
