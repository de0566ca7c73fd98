import type { Mailbox } from '../../runtime/ports/mail-server.ts'
import type { Folder } from './folder.ts'

/** Folders and mailboxes that did not find each other by their path, among all that are `listed`. */
export interface Unmatched {
  readonly gone: readonly Folder[]
  readonly fresh: readonly Mailbox[]
  readonly listed: readonly Mailbox[]
}

/**
 * Which of the `gone` folders is which of the `fresh` mailboxes: the one with the same MAILBOXID (RFC 8474), else
 * with the same UIDVALIDITY and no lower UIDNEXT, where no two of all `listed` mailboxes share that UIDVALIDITY.
 * Where a server gives renamed mailboxes new ones (Courier), a tree of the same shape and size in the place of
 * another is that. A folder whose match is in doubt has none.
 */
export function renamedFolders({ gone, fresh, listed }: Unmatched): ReadonlyMap<Folder, Mailbox> {
  const shared = sharedUidValidities(listed)
  const matches = gone.flatMap((folder) => {
    const same = fresh.filter((mailbox) => isSameMailbox(folder, mailbox, shared))
    const [mailbox] = same
    return mailbox && same.length === 1 ? [[folder, mailbox] as const] : []
  })
  const taken = Map.groupBy(matches, ([, mailbox]) => mailbox)
  const certain = matches.filter(([, mailbox]) => taken.get(mailbox)?.length === 1)
  if (certain.length > 0) return new Map(certain)
  const paths = new Set(listed.map(({ path }) => path))
  const before = new Set(gone.map(({ path }) => path))
  return renamedTree(
    gone.filter(({ path }) => !paths.has(path)),
    fresh.filter(({ path }) => !before.has(path)),
  )
}

/**
 * The whole of `gone` as the whole of `fresh`, under another name. Their messages are matched by content
 * afterwards, as after any change of UIDVALIDITY, so an error here costs no message its right id.
 */
function renamedTree(
  gone: readonly Folder[],
  fresh: readonly Mailbox[],
): ReadonlyMap<Folder, Mailbox> {
  const before = byPlaceInTree(gone)
  const after = byPlaceInTree(fresh)
  if (!before || !after || before.size !== after.size) return new Map()
  const pairs = [...before].map(([place, folder]) => [folder, after.get(place)] as const)
  const isSameTree = pairs.every(([folder, mailbox]) => mailbox && mayBe(folder, mailbox))
  const hasMail = gone.some(({ total }) => total > 0)
  return isSameTree && hasMail
    ? new Map(pairs.flatMap(([folder, mailbox]) => (mailbox ? [[folder, mailbox]] : [])))
    : new Map()
}

/** With a new UIDVALIDITY nothing is believed of the old UIDs, which under the same one would be wrong. */
const mayBe = (folder: Folder, { mailboxId, status }: Mailbox): boolean =>
  status !== undefined &&
  status.exists >= folder.total &&
  folder.uidValidity !== String(status.uidValidity) &&
  (folder.mailboxId === null || mailboxId === undefined)

/** By path below the one folder that holds all others; undefined where none does. */
function byPlaceInTree<Place extends { readonly path: string; readonly delimiter?: string | null }>(
  places: readonly Place[],
): ReadonlyMap<string, Place> | undefined {
  const [root] = places.toSorted((a, b) => a.path.length - b.path.length)
  if (!root) return undefined
  const prefix = `${root.path}${root.delimiter ?? ''}`
  const others = places.filter((place) => place !== root)
  if (!others.every(({ path }) => root.delimiter && path.startsWith(prefix))) return undefined
  return new Map(places.map((place) => [place.path.slice(root.path.length), place]))
}

function isSameMailbox(folder: Folder, mailbox: Mailbox, shared: ReadonlySet<string>): boolean {
  if (folder.mailboxId !== null && mailbox.mailboxId !== undefined)
    return folder.mailboxId === mailbox.mailboxId
  const { status } = mailbox
  return (
    status !== undefined &&
    folder.uidValidity === String(status.uidValidity) &&
    !shared.has(folder.uidValidity) &&
    status.uidNext >= (folder.uidNext ?? 1)
  )
}

function sharedUidValidities(listed: readonly Mailbox[]): ReadonlySet<string> {
  const values = listed.flatMap(({ status }) => (status ? [String(status.uidValidity)] : []))
  return new Set(values.filter((value, index) => values.indexOf(value) !== index))
}
