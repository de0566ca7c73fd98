import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'

import { measureActing } from './acting.ts'
import { measureManyAccounts } from './many-accounts.ts'
import { measureManyFolders } from './many-folders.ts'
import { measureMailbox, measureSyncOfMailbox } from './one-mailbox.ts'
import { benchOptions } from './options.ts'
import { hasPeers } from './peers.ts'
import { scaleRows } from './scale-rows.ts'
import { measureSearch } from './search.ts'
import { measureSending } from './sending.ts'
import { markdownTable } from './table.ts'
import type { Row } from './table.ts'
import { measureWebhooks } from './webhooks.ts'

const SCALE = 5
const BENCH_MS_MAX = 40 * 60_000
const BENCH_MS_PER_MESSAGE_MAX = 120

interface Section {
  readonly title: string
  readonly rows: readonly Row[]
}

const { messages, searchedMessages, accounts, scale, parts, json } = benchOptions(
  process.argv.slice(2),
)

// Leaving ends what was started: everything runs in groups that end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const deadline = setTimeout(
  () => {
    console.error('The bench did not end in time.')
    process.exit(1)
  },
  BENCH_MS_MAX +
    (messages * (scale ? 1 + SCALE : 1) + (parts.has('search') ? searchedMessages : 0)) *
      BENCH_MS_PER_MESSAGE_MAX,
)

const sections = await bench()
clearTimeout(deadline)
console.log(
  `${cpus().length} cores, Node ${process.version}, IMAP on loopback without TLS but where it says so`,
)
for (const { title, rows } of sections) console.log(`\n${title}\n\n${markdownTable(rows)}`)
if (json !== undefined)
  await writeFile(
    json,
    `${JSON.stringify({ messages, searchedMessages, accounts, sections }, null, 2)}\n`,
  )

/** The parts in turn, each with servers of its own that end with it. */
async function bench(): Promise<readonly Section[]> {
  const measured: Section[] = []
  const withPeers = (parts.has('mailbox') || parts.has('folders')) && hasPeers()
  if (parts.has('mailbox')) {
    const { sync, rows } = await ending((stack) => measureMailbox(stack, { messages, withPeers }))
    measured.push({ title: titleOf(messages), rows })
    if (scale) {
      const larger = { messages: messages * SCALE, withPeers }
      const large = await ending((stack) => measureSyncOfMailbox(stack, larger))
      const rowsOfBoth = scaleRows(sync, large.sync)
      measured.push({ title: titleOf(larger.messages), rows: [...large.rows, ...rowsOfBoth] })
    }
  }
  if (parts.has('folders'))
    measured.push({
      title: 'Many folders',
      rows: await ending((stack) => measureManyFolders(stack, { messages, withPeers })),
    })
  if (parts.has('accounts'))
    measured.push({
      title: 'Many accounts',
      rows: await ending((stack) => measureManyAccounts(stack, accounts)),
    })
  if (parts.has('acting'))
    measured.push({
      title: 'Acting on mail',
      rows: await ending((stack) => measureActing(stack, messages)),
    })
  if (parts.has('sending'))
    measured.push({ title: 'Sending', rows: await ending((stack) => measureSending(stack)) })
  if (parts.has('webhooks'))
    measured.push({ title: 'Webhooks', rows: await ending((stack) => measureWebhooks(stack)) })
  if (parts.has('search'))
    measured.push({
      title: `Search of ${searchedMessages.toLocaleString('en-GB')} messages`,
      rows: await ending((stack) =>
        measureSearch(stack, { messages: searchedMessages, withPeers: hasPeers(['notmuch']) }),
      ),
    })
  return measured
}

function titleOf(count: number): string {
  return `One mailbox of ${count.toLocaleString('en-GB')} messages`
}

/** Ends what the work has put on its stack, however it went. */
async function ending<T>(work: (stack: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const stack = new AsyncDisposableStack()
  try {
    return await work(stack)
  } finally {
    await stack.disposeAsync()
  }
}
