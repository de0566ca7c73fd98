import { expect, test } from 'vitest'
import { memoryMetrics } from '../../../runtime/memory/metrics.ts'

test('each name and each set of labels is counted apart', () => {
  const metrics = memoryMetrics()
  expect(metrics.read()).toEqual({})
  metrics.count('imap_connections_opened_total')
  metrics.count('imap_connections_opened_total')
  metrics.count('imap_received_bytes', {}, 512)
  metrics.count('imap_commands_failed_total', { kind: 'refused' })
  metrics.count('imap_commands_failed_total', { kind: 'unreachable' })
  expect(metrics.read()).toEqual({
    imap_connections_opened_total: 2,
    imap_received_bytes: 512,
    'imap_commands_failed_total{kind="refused"}': 1,
    'imap_commands_failed_total{kind="unreachable"}': 1,
  })
})

test('the order of labels makes no difference', () => {
  const metrics = memoryMetrics()
  metrics.count('imap_commands_failed_total', { a: '1', b: '2' })
  metrics.count('imap_commands_failed_total', { b: '2', a: '1' })
  expect(metrics.read()).toEqual({ 'imap_commands_failed_total{a="1",b="2"}': 2 })
})

test('what was read does not grow any more', () => {
  const metrics = memoryMetrics()
  metrics.count('messages_taken_in_total')
  const read = metrics.read()
  metrics.count('messages_taken_in_total')
  expect(read).toEqual({ messages_taken_in_total: 1 })
})
