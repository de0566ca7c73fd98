import type { ServerSettings } from '../../ports/mail-server.ts'
import type { MessageToSubmit, Submission, Submitted } from '../../ports/submission.ts'
import { endConnection, openConnection } from './connection.ts'
import { openConnections, type Slot } from './connections.ts'
import { handover, handOver, isGone } from './hand-over.ts'
import { PATIENCE } from './patience.ts'
import { render } from './render.ts'

/** SMTP over nodemailer. */
export function nodemailerSubmission(patience = PATIENCE): Submission {
  const connections = openConnections(patience.keepMs)

  async function sendOver(
    slot: Slot,
    settings: ServerSettings,
    message: MessageToSubmit,
  ): Promise<Submitted> {
    const state = await handover(message)
    if (slot.connection && !slot.connection.client.destroyed) {
      try {
        return await handOver(slot.connection, state, patience)
      } catch (error) {
        if (!isGone(error, state)) throw error
      }
    }
    slot.connection = await openConnection(settings, patience)
    return handOver(slot.connection, state, patience)
  }

  return {
    async verify(settings) {
      await endConnection(await openConnection(settings, patience))
    },
    render,
    send: (settings, message) =>
      connections.use(loginName(settings), (slot) => sendOver(slot, settings, message)),
    close: () => connections.close(),
  }
}

/** The same for the same server, login and secret. */
const loginName = ({ host, port, tls, user, login }: ServerSettings) =>
  JSON.stringify([host, port, tls, user, login])
