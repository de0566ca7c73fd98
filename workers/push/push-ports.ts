import type { DueChange } from '../../domain/mailbox-changes/due.ts'
import type { Lease } from '../../domain/sync/lease.ts'
import type { MailSession } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { Prompt } from '../account-prompts.ts'
import type { Turn } from '../account-turns.ts'
import type { InteractiveLanes } from '../interactive-lanes.ts'

/** What telling a server of changes needs. */
export type PushPorts = Needs<
  | 'store'
  | 'sourceStore'
  | 'sourceIntake'
  | 'sourceReader'
  | 'submission'
  | 'bodyRenderer'
  | 'clock'
  | 'wake'
  | 'logger'
  | 'metrics'
>

/** What telling an account's server of changes goes over. */
export interface PushLane {
  readonly lanes: InteractiveLanes
  readonly lease: Lease
  readonly turn: Turn
  /** Has the sync look for what was just filed. */
  readonly prompt: Prompt
}

/** An account's connection for changes, under the lease of its sync. */
export interface PushConnection {
  readonly session: MailSession
  readonly lease: Lease
}

/** Changes that are the same for messages of one folder: told in one command. */
export type Group = readonly DueChange[]

/** The place on the server where a change finds its message. */
export interface Place {
  readonly folderId: number
  readonly uidValidity: string
  readonly uid: number
}

/** Where the server has the message of a change; undefined while nobody knows. */
export const placeOf = ({ serverFolderId, uidValidity, uid }: DueChange): Place | undefined =>
  serverFolderId === null || uidValidity === null || uid === null
    ? undefined
    : { folderId: serverFolderId, uidValidity, uid }
