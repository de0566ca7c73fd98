import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { startGuarded } from '../../cli/commands/local/demo/guarded-process.ts'
import type { GuardedProcess } from '../../cli/commands/local/demo/guarded-process.ts'
import { freePorts, LOOPBACK } from '../../cli/commands/local/demo/loopback.ts'
import { NODE_OPTIONS } from '../support/node-options.ts'
import { childOf, until } from './processes.ts'

const PROGRAM = join(import.meta.dirname, '../../dist/cli/main.js')
const COMMAND_WITHIN_MS = 60_000
const START_WITHIN_MS = 60_000

export type Environment = Readonly<Record<string, string>>

/** A server of the bench in a process of its own; it ends with the bench at the latest. */
export interface Server {
  readonly pid: number
  readonly url: string
  /** From before the process was started until it answered, in milliseconds. */
  readonly firstAnswerMs: number
  /** What it has written so far. */
  log(): Promise<string>
  stop(): Promise<void>
}

/** Starts Node with `args` on a port told by `environmentOf`, and waits until `healthPath` is answered with 200. */
export async function startServer(
  directory: string,
  args: readonly string[],
  options: { readonly healthPath: string; environmentOf(port: number): Environment },
): Promise<Server> {
  const [port = 0] = await freePorts(1)
  const own = await mkdtemp(join(directory, 'server-'))
  const logFile = join(own, 'log')
  const environment = Object.entries(withBasics(options.environmentOf(port)))
  const settings = environment.map(([name, value]) => `${name}=${value}`)
  const url = `http://${LOOPBACK}:${port}`

  const startMs = performance.now()
  const command = ['/usr/bin/env', '-i', ...settings, process.execPath, ...args]
  const running = await startGuarded(command, own, logFile)
  const log = () => readFile(logFile, 'utf8')
  try {
    await until(`${args.join(' ')} answers`, START_WITHIN_MS, () =>
      answers(url + options.healthPath, running),
    )
  } catch (error) {
    const said = await log()
    await running.stop()
    throw new Error(`A server did not start: ${said}`, { cause: error })
  }
  const firstAnswerMs = performance.now() - startMs
  return { pid: running.pid, url, firstAnswerMs, log, stop: () => running.stop() }
}

async function answers(url: string, running: GuardedProcess): Promise<true | undefined> {
  if (!running.isRunning()) throw new Error('The process has ended.')
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.ok || undefined
  } catch {
    return undefined
  }
}

/** Starts `svc serve`, its sidecar with it, as people do; without a rate limit. */
export const startService = (
  directory: string,
  dataDir: string,
  environment: Environment = {},
): Promise<Server> =>
  startServer(directory, [...NODE_OPTIONS, PROGRAM, 'serve'], {
    healthPath: '/api/health',
    environmentOf: (port) => ({
      SVC_DATA_DIR: dataDir,
      SVC_PORT: String(port),
      SVC_API_RATE_LIMIT: '0',
      ...environment,
    }),
  })

/** The process id of the service's sidecar, once it runs. */
export const sidecarOf = ({ pid }: Server): Promise<number> =>
  until('a sidecar', START_WITHIN_MS, () => childOf(pid, 'sidecar'))

/** Runs a command on the data directory; returns its standard output. Throws when it fails. */
export async function svc(dataDir: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: withBasics({ SVC_DATA_DIR: dataDir }),
    timeout: COMMAND_WITHIN_MS,
  })
  child.stdin.end(input)
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  if (code !== 0) throw new Error(`svc ${args.slice(0, 2).join(' ')}: ${errors}`)
  return output.trim()
}

const withBasics = (environment: Environment) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  ...environment,
})
