import type { FetchedMessage } from '../../runtime/ports/mail-server.ts'
import type { MessageDigest } from '../../runtime/ports/message-digest.ts'
import type { DueAction } from '../filters/actions-of.ts'
import type { HoldingFolder } from './shown-and-confirmed.ts'

/** A message as it arrived in a folder, its source already in the SourceStore if it is to be kept. */
export interface Arrival {
  readonly fetched: Omit<FetchedMessage, 'source' | 'size'>
  readonly sourceHash: string
  readonly sourceKept: boolean
  /** Bytes. */
  readonly size: number
  readonly digest: MessageDigest
  /** What filter rules want done with it, should it be new and shown in an inbox. */
  readonly actions?: readonly DueAction[]
}

/** Where messages arrive. */
export interface ArrivalFolder extends HoldingFolder {
  readonly isDrafts: boolean
  /** Whether arrivals are news: not in the first sync of the folder, nor after a UIDVALIDITY change. */
  readonly isTold: boolean
  /** Whether what others changed of messages that arrive by a move is news too. */
  readonly areChangesTold: boolean
  readonly uidValidity: bigint
}

/** What the server confirmed of an arrival: where it is, and its flags. */
export const confirmed = (folder: ArrivalFolder, { fetched }: Arrival) => ({
  serverFolderId: folder.id,
  uid: fetched.uid,
  uidValidity: String(folder.uidValidity),
  serverFlags: fetched.flags,
  serverLabels: fetched.gmailLabels ?? null,
  modseq: fetched.modseq === undefined ? null : String(fetched.modseq),
  emailId: fetched.emailId ?? null,
})
