import type { SearchCriterion } from '../../../runtime/ports/search-criterion.ts'
import type { SpecialUse } from '../../folders/special-use.ts'
import type { Folder } from '../../sync/folder.ts'
import { type GmailFolders, holdsGmail } from '../../sync/gmail.ts'
import type { SearchExpression } from '../expression.ts'
import { type SearchedMailbox, toImap } from './to-imap.ts'

/** What is searched for, and in which account. */
export interface AccountSearch {
  readonly expression: SearchExpression
  readonly accountId: number
  /** The only folder whose messages are wanted. */
  readonly folderId: number | undefined
  /** The ids that the names in the expression stand for. */
  readonly names: {
    accountIds(name: string): readonly number[]
    folderIds(name: string): readonly number[]
  }
  /** Message-IDs that are known of a conversation. */
  readonly messageIdsOf: (threadId: number) => readonly string[]
}

/** The account's folders as they are synced. */
interface AccountFolders {
  readonly folders: readonly Folder[]
  readonly gmail: GmailFolders | undefined
}

/** A folder to be searched, and what for. */
export interface SearchTarget {
  readonly folder: Folder
  readonly criterion: SearchCriterion
  /** The ids of the folders that show what its mailbox holds. */
  readonly shownIn: readonly number[]
}

/** Whether any message of the account can be meant. */
export const mayHold = (search: AccountSearch): boolean =>
  criterionFor(search, {
    isIn: () => undefined,
    isOfDrafts: undefined,
    hasGmailLabels: false,
  }) !== undefined

/**
 * The folders whose mailboxes can hold what is searched for; spam and trash only where they are named (contract section
 * 5). On Gmail one mailbox holds what several folders show.
 */
export function searchTargets(
  search: AccountSearch,
  { folders, gmail }: AccountFolders,
): readonly SearchTarget[] {
  const filled = new Set<number>(gmail && Object.values(gmail))
  return folders.flatMap((folder) => {
    if (!folder.selectable || !folder.listed || (gmail && !holdsGmail(folder))) return []
    const isAllMail = folder.id === gmail?.allMail
    const shownBy = isAllMail ? folders.filter(({ id }) => filled.has(id)) : [folder]
    const shownIn = shownBy.map(({ id }) => id)
    const isWanted = search.folderId === undefined || shownIn.includes(search.folderId)
    if (!isWanted || (isAside(folder) && !isAskedFor(search, folder))) return []
    const criterion = criterionFor(search, {
      isIn: (name) => {
        const named = search.names.folderIds(name)
        return allOrNone(shownIn.map((id) => named.includes(id)))
      },
      isOfDrafts: allOrNone(shownBy.map(({ specialUse }) => specialUse === 'drafts')),
      hasGmailLabels: gmail !== undefined,
    })
    return criterion ? [{ folder, criterion, shownIn }] : []
  })
}

const criterionFor = (
  { expression, accountId, names, messageIdsOf }: AccountSearch,
  mailbox: Pick<SearchedMailbox, 'isIn' | 'isOfDrafts' | 'hasGmailLabels'>,
) =>
  toImap(expression, {
    ...mailbox,
    messageIdsOf,
    isOf: (name) => names.accountIds(name).includes(accountId),
  })

const ASIDE: readonly (SpecialUse | null)[] = ['spam', 'trash']
const isAside = ({ specialUse }: Folder) => ASIDE.includes(specialUse)

const isAskedFor = ({ expression, folderId, names }: AccountSearch, { id }: Folder): boolean =>
  folderId === id || namedIn(expression).some((name) => names.folderIds(name).includes(id))

/** The folders that are named, in whatever sense. */
function namedIn(expression: SearchExpression): readonly string[] {
  if (expression.kind === 'and' || expression.kind === 'or') return expression.of.flatMap(namedIn)
  if (expression.kind === 'not') return namedIn(expression.of)
  return expression.kind === 'in' ? [expression.folder] : []
}

function allOrNone(values: readonly boolean[]): boolean | undefined {
  if (values.every(Boolean)) return true
  return values.some(Boolean) ? undefined : false
}
