import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { openFileStore } from '../../runtime/node/file-store.ts'
import { startService, svc } from './svc.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** Requests to a service with a token that may manage webhooks. */
export type WebhookClient = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<Record<string, unknown>>

export const webhookClient =
  (url: string, token: string): WebhookClient =>
  async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect(answer.ok).toBe(true)
    return (await answer.json()) as Record<string, unknown>
  }

/** A whole service without an account until the test ends, its database, and a client. */
export async function startWebhookService(settings: Readonly<Record<string, string>> = {}) {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const dataDir = join(directory.path, 'data')
  const env = { SVC_DATA_DIR: dataDir, SVC_API_RATE_LIMIT: '0', ...settings }
  const service = await startService(['serve'], { env })
  const scopes = ['--label', 'test', '--scopes', 'webhooks:manage']
  const token = (await svc(['token', 'create', ...scopes], { env })).stdout.trim()
  const store = openFileStore(`file:${join(dataDir, 'svc.db')}`)
  onTestFinished(() => store.close())
  return { env, service, store, token, client: webhookClient(service.url, token) }
}
