import { memoryOf } from './processes.ts'
import { sidecarOf } from './service.ts'
import type { Server } from './service.ts'
import { mebibytes } from './table.ts'

/** The same of both processes of a service. */
export interface OfBoth<T> {
  readonly handlers: T
  readonly sidecar: T
}

export const ofBoth = <T, U>({ handlers, sidecar }: OfBoth<T>, to: (value: T) => U): OfBoth<U> => ({
  handlers: to(handlers),
  sidecar: to(sidecar),
})

export const sumOf = ({ handlers, sidecar }: OfBoth<number>) => handlers + sidecar

/** The process ids of a service. */
export const pidsOf = async (service: Server): Promise<OfBoth<number>> => ({
  handlers: service.pid,
  sidecar: await sidecarOf(service),
})

/** Resident memory of both processes in bytes; pages that both have, such as Node itself, count twice. */
export async function memoryOfBoth(
  service: Server,
  which: 'bytes' | 'peakBytes' = 'bytes',
): Promise<OfBoth<number>> {
  return ofBoth(await pidsOf(service), (pid) => memoryOf(pid)[which])
}

export const showBoth = <T>({ handlers, sidecar }: OfBoth<T>, show: (value: T) => string) =>
  `${show(handlers)}, ${show(sidecar)}`

/** Both, and what they are together. */
export const showMemory = (bytes: OfBoth<number>) =>
  `${showBoth(bytes, mebibytes)}, ${mebibytes(sumOf(bytes))}`
