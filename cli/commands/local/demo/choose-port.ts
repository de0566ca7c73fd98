import { once } from 'node:events'
import { createServer } from 'node:net'
import { freePorts, LOOPBACK } from './loopback.ts'

/** The wanted port, or a free one when another program listens on it and for the port 0. */
export async function choosePort(wanted: number): Promise<number> {
  if (wanted !== 0 && !(await isTaken(wanted))) return wanted
  const [free = 0] = await freePorts(1)
  return free
}

/** A port that cannot be had for another reason is not taken: who listens on it says what the matter is. */
async function isTaken(port: number): Promise<boolean> {
  const server = createServer().listen(port, LOOPBACK)
  try {
    await once(server, 'listening')
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  }
  await once(server.close(), 'close')
  return false
}
