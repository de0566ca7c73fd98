import { getAccountByName } from '../../../../domain/accounts/get-by-name.ts'
import { listWatchedFolders, watchFolders } from '../../../../domain/folders/watch.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { note, printJson, printTable } from '../../../output.ts'
import type { FoldersOptions } from './options.ts'

/** `svc account folders`: lists them, after changing which of them are watched. */
export async function accountFoldersCommand(
  nameOrId: string,
  { watch = [], unwatch = [], json }: FoldersOptions,
): Promise<void> {
  await withLocalRuntime(async (runtime) => {
    const { id } = await getAccountByName(runtime, nameOrId)
    if (watch.length + unwatch.length > 0)
      await watchFolders(runtime, { accountId: id, watch, unwatch })
    const folders = await listWatchedFolders(runtime, id)
    if (json) return printJson(folders.map(folderJson))
    if (folders.length === 0) return note('Its folders are not known before its first sync.')
    return printTable(
      ['ID', 'FOLDER', 'ROLE', 'WATCHED'],
      folders.map(({ id: folderId, path, specialUse, synced }) => [
        String(folderId),
        path,
        specialUse ?? '',
        synced ? 'yes' : '',
      ]),
    )
  })
}

const folderJson = ({
  id,
  path,
  specialUse,
  synced,
}: Awaited<ReturnType<typeof listWatchedFolders>>[number]) => ({
  id,
  path,
  ...(specialUse !== null && { special_use: specialUse }),
  synced,
})
