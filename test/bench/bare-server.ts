import { startServer } from './service.ts'
import type { Environment, Server } from './service.ts'

const PROGRAM =
  "require('node:http').createServer((_, answer) => answer.end('{}')).listen(process.env.PORT, '127.0.0.1')"

/** A server of one line in the same Node: what the machine allows a process that does nothing. */
export const startBareServer = (
  directory: string,
  environment: Environment = {},
): Promise<Server> =>
  startServer(directory, ['-e', PROGRAM], {
    healthPath: '/',
    environmentOf: (port) => ({ PORT: String(port), ...environment }),
  })
