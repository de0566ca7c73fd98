import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '../../db/client.ts'
import { StorageError } from '../ports/storage-error.ts'
import type { Store } from '../ports/store.ts'
import type { FileWriter } from './file-writer.ts'

/** So many transactions may have left more behind than is brought to the disk within a few milliseconds. */
const UNSYNCED_MAX = 4

/** The part of a store that writes. */
export interface QueuedWrites extends Pick<
  Store,
  'commit' | 'transaction' | 'durableTransaction' | 'writeTrouble'
> {
  /** Resolves when all that were asked for so far have ended. */
  readonly ended: () => Promise<void>
}

/**
 * Writes of this process queue behind each other on a single connection: the driver is synchronous, so two of them
 * would wait for each other with the event loop stopped, and no busy timeout could help. Transactions, which are many
 * where there are some, leave pauses to the writers of other processes.
 */
export function queuedWrites(writer: FileWriter): QueuedWrites {
  let lastWrite: Promise<unknown> = Promise.resolve()
  /** Transactions since the last durable one. */
  let unsynced = 0

  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastWrite.then(work)
    lastWrite = turn.catch(() => undefined)
    return turn
  }

  const durably = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    queued(async () => {
      // What cannot be synced now is synced, or fails, with the transaction.
      if (unsynced >= UNSYNCED_MAX) await writer.syncLog().catch(() => undefined)
      unsynced = 0
      return writer.transaction('FULL', work)
    })

  return {
    commit: (build) =>
      durably(async (tx) => {
        const results: unknown[] = []
        for (const statement of build(tx)) results.push(await statement)
        return results as {
          -readonly [I in keyof ReturnType<typeof build>]: Awaited<ReturnType<typeof build>[I]>
        }
      }),
    transaction: (work) =>
      queued(async () => {
        unsynced += 1
        const startedMs = performance.now()
        const result = await writer.transaction('NORMAL', work)
        const pauseMs = await writer.pauseAfter(performance.now() - startedMs)
        void queued(() => delay(pauseMs))
        return result
      }),
    durableTransaction: durably,
    async writeTrouble() {
      try {
        await queued(() => writer.touch())
        return undefined
      } catch (error) {
        if (error instanceof StorageError) return error.message
        throw error
      }
    },
    ended: async () => void (await lastWrite),
  }
}
