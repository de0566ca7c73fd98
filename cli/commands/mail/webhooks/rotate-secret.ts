import { text } from 'node:stream/consumers'
import { apiClient, valueOf } from '../../../api-client.ts'
import type { ApiCommandOptions } from '../api-command.ts'
import { printSecret } from './present.ts'

/** `svc mail webhooks rotate-secret`: a secret of one's own comes by standard input, never by an argument. */
export async function rotateSecretCommand(
  id: string,
  options: ApiCommandOptions & { readonly secretStdin?: true },
): Promise<void> {
  const webhook = apiClient(options).webhooks[':id']
  const json = options.secretStdin ? { secret: await givenSecret() } : {}
  const answer = await valueOf(webhook.secret.$post({ param: { id }, json }))
  printSecret(answer, 'Webhook', options.json === true)
}

const givenSecret = async () => (await text(process.stdin)).replace(/\r?\n$/, '')
