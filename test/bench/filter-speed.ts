import type { FilterCondition } from '../../db/schema/filters.ts'
import { actionsOf } from '../../domain/filters/actions-of.ts'
import { listCompiledFilters } from '../../domain/filters/list-compiled.ts'
import { digestMessage } from '../../domain/mime/digest-message.ts'
import type { MessageDigest } from '../../runtime/ports/message-digest.ts'
import type { BenchDatabase } from './bench-database.ts'
import { generatedMailbox } from './generated-mailbox.ts'
import { generatedConditions } from './generated-rules.ts'
import type { HttpClient } from './http-client.ts'
import { median, percentile } from './statistics.ts'
import { ms, number } from './table.ts'
import type { Row } from './table.ts'

const RULES = 100
const MAILBOX = 2_000
const MESSAGES = 100
const BYTES = { least: 12_000, most: 16_000 }
const ACCOUNT_ID = 1
const WARM_UP_ROUNDS = 2
const ADDED_BAR_MS = 15

/**
 * What rules add to the arrival of each message, in this process: reading and compiling those that are in force, and
 * matching them. The floor is the engine of the language on texts that are prepared.
 */
export async function measureFilterSpeed(api: HttpClient, database: BenchDatabase): Promise<Row> {
  const conditions = generatedConditions(RULES)
  for (const condition of conditions) {
    const rule = { conditions: [condition], actions: [{ type: 'label', arg: 'matched' }] }
    await api.send('POST', '/api/v1/filters', rule)
  }
  const digests = await middlingDigests()
  const addedMs: number[] = []
  const nativeMs: number[] = []
  const tests = conditions.map(nativeTest)
  let matched = 0
  for (let round = 0; round <= WARM_UP_ROUNDS; round += 1) {
    const isWarm = round === WARM_UP_ROUNDS
    for (const digest of digests) {
      const startMs = performance.now()
      const filters = await listCompiledFilters(database)
      const actions = actionsOf(filters, { accountId: ACCOUNT_ID, ...digest })
      const tookMs = performance.now() - startMs
      const nativeTookMs = nativeRun(tests, digest)
      if (!isWarm) continue
      addedMs.push(tookMs)
      nativeMs.push(nativeTookMs)
      matched += actions.length
    }
  }
  const count = digests.length
  return {
    work: `${RULES / 2} contains and ${RULES / 2} regex rules on ${count} messages of ${BYTES.least / 1_000} to ${BYTES.most / 1_000} KB (${matched} match), warm, added to each, p50 / p95 / longest`,
    figure: show(addedMs),
    floor: `${show(nativeMs)} (includes and RegExp)`,
    ratio: number(median(addedMs) / median(nativeMs)),
    bar: `p95 ${ms(ADDED_BAR_MS)}`,
    met: percentile(addedMs, 0.95) <= ADDED_BAR_MS,
  }
}

const show = (values: readonly number[]) =>
  [0.5, 0.95, 1].map((fraction) => ms(percentile(values, fraction))).join(' / ')

/** What arrives of messages that are neither small nor large. */
async function middlingDigests(): Promise<readonly MessageDigest[]> {
  const digests: MessageDigest[] = []
  for (const { source } of generatedMailbox(MAILBOX)) {
    const { byteLength } = source
    if (byteLength < BYTES.least || byteLength > BYTES.most) continue
    digests.push(await digestMessage(source))
    if (digests.length === MESSAGES) break
  }
  return digests
}

type Texts = Readonly<Record<FilterCondition['field'], string>>

/** The condition without folding, in no more than the language has. */
function nativeTest({ field, op, value }: FilterCondition): (texts: Texts) => boolean {
  if (op === 'contains') return (texts) => texts[field].includes(value)
  const anyCase = '(?i)'
  const regex = value.startsWith(anyCase)
    ? new RegExp(value.slice(anyCase.length), 'i')
    : new RegExp(value)
  return (texts) => regex.test(texts[field])
}

/** How long all tests take on a message, in milliseconds. */
function nativeRun(
  tests: readonly ((texts: Texts) => boolean)[],
  { from, to, subject, text = '' }: MessageDigest,
): number {
  const written = (addresses: typeof from) =>
    addresses.map(({ name, address }) => `${name} <${address}>`).join('\n')
  const texts = { from: written(from), to: written(to), subject, body: text }
  const startMs = performance.now()
  for (const test of tests) test(texts)
  return performance.now() - startMs
}
