import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const TRIED_AGAIN_AFTER_MS = 20

/** What became of a request that sends, as its client knows it. */
export type SendingAnswer =
  | { readonly kind: 'sent'; readonly messageId: string }
  | { readonly kind: 'scheduled'; readonly outboxId: number }
  /** Nobody knows: it is never sent again. */
  | { readonly kind: 'unknown' }

interface Reply {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** A client that asks again under the same key until it knows; `urlOf` is where the service answers now. */
export function sendingClient(urlOf: () => string, token: string) {
  const ask = async (method: string, path: string, options: { body?: unknown; key?: string }) => {
    const answer = await fetch(`${urlOf()}/api/v1/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
        ...(options.key !== undefined && { 'Idempotency-Key': options.key }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) } as Reply
  }

  /** The first answer that says what became of it. */
  const known = async (path: string, body: unknown): Promise<Reply> => {
    const key = randomUUID()
    for (;;) {
      try {
        const reply = await ask('POST', path, { body, key })
        if (reply.status < 300 || isUnknown(reply)) return reply
        if (reply.status !== 502) throw new Error(`${path}: ${JSON.stringify(reply)}`)
      } catch (error) {
        // It was killed; everything else is a fault.
        if (!(error instanceof TypeError)) throw error
      }
      await sleep(TRIED_AGAIN_AFTER_MS)
    }
  }

  const answerOf = ({ body }: Reply): SendingAnswer => {
    if (body['status'] === 'sent') return { kind: 'sent', messageId: String(body['message_id']) }
    if (body['status'] === 'scheduled')
      return { kind: 'scheduled', outboxId: Number(body['outbox_id']) }
    return { kind: 'unknown' }
  }

  return {
    ask,
    send: async (message: object) => answerOf(await known('messages/send', message)),
    /** By way of a draft. */
    async sendDraft(draft: object): Promise<SendingAnswer> {
      const { body } = await known('drafts', draft)
      return answerOf(await known(`drafts/${Number(body['id'])}/send`, undefined))
    },
  }
}

/** Whether the answer says that nobody will ever know; while one is pending it names the entry too. */
function isUnknown({ body }: Reply): boolean {
  const { message = '', details } = (body['error'] ?? {}) as {
    readonly message?: string
    readonly details?: { readonly outbox_id?: number }
  }
  return details?.outbox_id !== undefined && !message.startsWith('Outcome pending')
}
