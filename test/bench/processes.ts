import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const KIBIBYTE = 1_024
const ESTABLISHED = '01'

/** Resident memory of a process in bytes, now and at its highest. */
export function memoryOf(pid: number): { readonly bytes: number; readonly peakBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * KIBIBYTE
  return { bytes: field('VmRSS'), peakBytes: field('VmHWM') }
}

/** The processor time a process has used, in milliseconds. */
export function processorMsOf(pid: number): number {
  // After the name, which may hold anything and ends with the last bracket; the fields are proc(5) 14 and 15.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** How many connections to a port of this machine are open (proc(5), `net/tcp`). */
export function connectionsTo(port: number): number {
  const to = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote = '', state]) => remote.endsWith(to) && state === ESTABLISHED).length
}

/** The child of `pid` whose command line ends with `argument`. */
export function childOf(pid: number, argument: string): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children
    .split(' ')
    .filter((child) => child !== '' && isRunning(Number(child)))
    .map(Number)
    .find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0').includes(argument))
}

export const isRunning = (pid: number) => existsSync(`/proc/${pid}`)

/** Asks every few milliseconds until there is a value; throws after `withinMs`. */
export async function until<T>(
  what: string,
  withinMs: number,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline) {
    const value = await ask()
    if (value !== undefined) return value
    await delay(3)
  }
  throw new Error(`Not within ${withinMs} ms: ${what}.`)
}
