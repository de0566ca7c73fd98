import type { Outbound, OutboundReply, OutboundRequest } from '../../runtime/ports/outbound.ts'

type Step = number | OutboundReply | Error | (() => Promise<number>)

/** A request that a receiver got. */
export interface Received {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Receivers that answer as they are told, one step after the other, the last step for ever; a status, or what `send` does. */
export function scriptedOutbound(...steps: readonly Step[]): Outbound & { received: Received[] } {
  const received: Received[] = []
  const send = async ({ url, headers = {}, body }: OutboundRequest): Promise<OutboundReply> => {
    const step = steps[Math.min(received.length, steps.length - 1)] ?? 200
    received.push({ url, headers, body: new TextDecoder().decode(body) })
    if (step instanceof Error) throw step
    const reply = typeof step === 'function' ? await step() : step
    return typeof reply === 'number'
      ? { status: reply, headers: {}, body: new TextEncoder().encode('noted'), truncated: false }
      : reply
  }
  return { send, received }
}
