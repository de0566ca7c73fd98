import { randomBytes } from 'node:crypto'
import { apiClient, serviceUrl } from '../../../../api-client.ts'
import { CommandFailed, EXIT } from '../../../../exit.ts'
import { note } from '../../../../output.ts'
import type { ApiCommandOptions } from '../../api-command.ts'
import { execute } from './execute.ts'
import { followEvents } from './follow-events.ts'
import { forward } from './forward.ts'
import type { EventLine } from './listener-line.ts'
import { printEvent, printOutcome } from './print-event.ts'
import { TIMING } from './timing.ts'

/** Of `svc mail webhooks listen`. */
export interface ListenOptions extends ApiCommandOptions {
  readonly forwardTo?: string
  readonly events?: string
  readonly execute?: string
}

/**
 * `svc mail webhooks listen`: each event is printed, forwarded or given to a command, one after another; the next is
 * read when that is done. Ends by a signal, or when the service does not let it listen any more.
 */
export async function listenCommand(options: ListenOptions): Promise<void> {
  const url = serviceUrl(options)
  const client = apiClient(options)
  const stopping = stopSignal()
  const { signal } = stopping
  const receiver =
    options.forwardTo === undefined ? undefined : newReceiver(receiverUrl(options.forwardTo))
  const ready = `Ready: listening to ${options.events ?? 'every event'} of ${url}. Ctrl+C ends it.`

  const handle = async (line: EventLine) => {
    const outcome = {
      ...(receiver && { forward: await forward(line, receiver, { timing: TIMING, signal }) }),
      ...(options.execute !== undefined && {
        execute: await execute(line, options.execute, { url, timing: TIMING, signal }),
      }),
    }
    const isJson = options.json === true
    if (receiver || options.execute !== undefined) printOutcome(line, outcome, isJson)
    else printEvent(line, isJson)
  }

  const following = { events: options.events, ready, timing: TIMING, signal }
  for await (const line of followEvents(client, following)) await handle(line)
  if (stopping.exitCode() !== EXIT.done) throw new CommandFailed('', stopping.exitCode())
}

/** Minted anew each time; only what is forwarded is signed. */
function newReceiver(url: string) {
  const secret = `whsec_${randomBytes(32).toString('base64url')}`
  note(`Forwarding to ${url}, signed with ${secret}`)
  return { url, secret }
}

/** `localhost:3000/hook` is meant as http. */
function receiverUrl(text: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  const isUsable =
    url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (isUsable) return url.href
  throw new CommandFailed('-forward-to takes an http or https address without a user.', EXIT.usage)
}

/** An interrupt ends it with 130, and what it runs with it; whoever asks politely gets 0. */
function stopSignal() {
  const controller = new AbortController()
  let exitCode: number = EXIT.done
  const stop = (code: number) => () => {
    exitCode = code
    controller.abort()
  }
  process.once('SIGINT', stop(EXIT.interrupted))
  process.once('SIGHUP', stop(EXIT.interrupted))
  process.once('SIGTERM', stop(EXIT.done))
  return { signal: controller.signal, exitCode: () => exitCode }
}
