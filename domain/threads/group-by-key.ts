/** Messages that belong together because they share keys, and the threads those keys already belong to. */
export interface KeyGroup<Message> {
  readonly members: Message[]
  readonly keys: Set<string>
  readonly threadIds: Set<number>
}

/**
 * Groups messages that share a key with each other, directly or through others, or through a thread that is
 * known for one of their keys. A message without keys is a group of its own.
 */
export function groupByKey<Message>(
  keysOf: ReadonlyMap<Message, readonly string[]>,
  knownThreads: ReadonlyMap<string, number>,
): readonly KeyGroup<Message>[] {
  const groups = new Set<KeyGroup<Message>>()
  const byKey = new Map<string, KeyGroup<Message>>()
  const byThread = new Map<number, KeyGroup<Message>>()

  const absorb = (into: KeyGroup<Message>, other: KeyGroup<Message>) => {
    if (into === other) return
    groups.delete(other)
    into.members.push(...other.members)
    for (const key of other.keys) byKey.set(key, into)
    for (const threadId of other.threadIds) byThread.set(threadId, into)
    for (const key of other.keys) into.keys.add(key)
    for (const threadId of other.threadIds) into.threadIds.add(threadId)
  }

  for (const [message, keys] of keysOf) {
    const group: KeyGroup<Message> = {
      members: [message],
      keys: new Set(keys),
      threadIds: new Set(),
    }
    groups.add(group)
    for (const key of keys) {
      const sharing = byKey.get(key)
      if (sharing) absorb(group, sharing)
      byKey.set(key, group)
      const threadId = knownThreads.get(key)
      if (threadId === undefined) continue
      const sameThread = byThread.get(threadId)
      if (sameThread) absorb(group, sameThread)
      group.threadIds.add(threadId)
      byThread.set(threadId, group)
    }
  }
  return [...groups]
}
