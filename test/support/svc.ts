import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { NODE_OPTIONS } from './node-options.ts'

/** The command line's program in the sources. */
export const PROGRAM = join(import.meta.dirname, '../../cli/main.ts')

export interface SvcOptions {
  readonly env?: Readonly<Record<string, string>>
  /** What is written to standard input. */
  readonly input?: string
  readonly program?: string
}

export interface SvcResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line to its end. */
export async function svc(args: readonly string[], options: SvcOptions = {}): Promise<SvcResult> {
  const child = start(args, options)
  child.stdin?.end(options.input ?? '')
  const output = Promise.all([textOf(child.stdout), textOf(child.stderr)])
  const [code] = await once(child, 'exit')
  const [stdout, stderr] = await output
  return { code, stdout, stderr }
}

/** A long-running command of a test; killed at its end. */
export interface RunningSvc {
  readonly process: ChildProcess
  readonly pid: number
  /** Standard output and standard error so far. */
  stdout(): string
  stderr(): string
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
}

export function startSvc(args: readonly string[], options: SvcOptions = {}): RunningSvc {
  const child = start(args, options)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  if (child.pid === undefined) throw new Error('svc did not start.')
  return { process: child, pid: child.pid, stdout: () => stdout, stderr: () => stderr, ended }
}

/** Starts a service on a free port and waits until it says where it answers. */
export async function startService(
  args: readonly string[],
  options: SvcOptions,
): Promise<RunningSvc & { readonly url: string }> {
  const env = { SVC_PORT: '0', ...options.env }
  const running = startSvc(args, { ...options, env })
  const url = await Promise.race([urlOf(running), running.ended])
  if (typeof url !== 'string') throw new Error(`svc ended: ${running.stderr()}`)
  return { ...running, url }
}

async function urlOf(running: RunningSvc): Promise<string> {
  for (;;) {
    const url = /http:\S+/.exec(running.stdout())?.[0]
    if (url) return url
    if (running.process.stdout === null) throw new Error('There is no output to read.')
    await once(running.process.stdout, 'data')
  }
}

/** A quarter of what it takes to start goes into reading the sources, which are the same each time. */
const NODE_COMPILE_CACHE = join(tmpdir(), 'svc-test-compile-cache')

function start(args: readonly string[], { env = {}, program = PROGRAM }: SvcOptions): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  const inherited = { PATH, HOME, NODE_COMPILE_CACHE }
  return spawn(process.execPath, [...NODE_OPTIONS, program, ...args], {
    env: { ...inherited, ...env },
  })
}

const textOf = async (stream: NodeJS.ReadableStream | null) => (stream ? text(stream) : '')
