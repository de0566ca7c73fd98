import { expect, onTestFinished } from 'vitest'
import { eventually } from './eventually.ts'
import { harness } from './harness.ts'
import { webhookRows } from './webhooks.ts'

/** A harness with webhooks, and what becomes of their deliveries. */
export async function watchedWebhooks() {
  const h = await harness()
  onTestFinished(h.close)
  const rows = webhookRows(h.runtime)
  const row = async (id: number) => (await rows.deliveries()).find((one) => one.id === id)
  const becomes = (id: number, expected: object) =>
    eventually(async () => expect(await row(id)).toMatchObject(expected))
  return { h, runtime: h.runtime, clock: h.clock, rows, row, becomes }
}

/** Lets everything go on that does not wait for the clock. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 40))
