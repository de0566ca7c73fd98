import type { FetchedFlags } from '../../runtime/ports/mail-server.ts'

/** What the server last confirmed of a message. */
export interface ConfirmedMessage {
  readonly id: number
  readonly uid: number
  readonly serverFlags: readonly string[]
  readonly serverLabels: readonly string[] | null
}

/** A known message whose flags the server reports otherwise than it last did. */
export interface FlagChange {
  readonly id: number
  readonly uid: number
  readonly flags: readonly string[]
  readonly gmailLabels: readonly string[] | undefined
  readonly modseq: bigint | undefined
}

/** What a FETCH of flags says about a folder. */
export interface FlagsDiff {
  readonly changed: readonly FlagChange[]
  /** UIDs that the store does not know, newest first. */
  readonly newUids: readonly number[]
}

/** Compares reported flags with the confirmed ones; both sides keep their flags sorted. */
export function diffFlags(
  confirmed: readonly ConfirmedMessage[],
  reported: readonly FetchedFlags[],
): FlagsDiff {
  const byUid = new Map(confirmed.map((message) => [message.uid, message]))
  // A server may speak of a message twice; what it said last is so.
  const last = new Map(reported.map((flags) => [flags.uid, flags]))
  const changed: FlagChange[] = []
  const newUids: number[] = []
  for (const { uid, flags, gmailLabels, modseq } of last.values()) {
    const message = byUid.get(uid)
    const isSame =
      message &&
      areSame(message.serverFlags, flags) &&
      areSame(message.serverLabels ?? [], gmailLabels ?? [])
    if (!message) newUids.push(uid)
    else if (!isSame) changed.push({ id: message.id, uid, flags, gmailLabels, modseq })
  }
  return { changed, newUids: newUids.toSorted((a, b) => b - a) }
}

/** The messages whose UID the server no longer has. */
export function diffVanished<Message extends { readonly uid: number }>(
  confirmed: readonly Message[],
  serverUids: readonly number[],
): readonly Message[] {
  const onServer = new Set(serverUids)
  return confirmed.filter(({ uid }) => !onServer.has(uid))
}

const areSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((flag, index) => flag === b[index])
