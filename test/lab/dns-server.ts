import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { Resolver } from 'node:dns/promises'
import type { LookupAll } from '../../runtime/node/guarded-lookup.ts'

/** What a name has; the n-th question for addresses gets the n-th list, the last one ever after. */
export interface DnsZone {
  readonly a?: Readonly<Record<string, readonly (readonly string[])[]>>
  readonly mx?: Readonly<Record<string, readonly (readonly [priority: number, host: string])[]>>
  readonly srv?: Readonly<
    Record<
      string,
      readonly (readonly [priority: number, weight: number, port: number, host: string])[]
    >
  >
}

const TYPES = { a: 1, mx: 15, srv: 33 } as const
const NAME_ERROR = 3

/** A name server on UDP that knows one zone; every question is recorded as `type name`. */
export async function startDnsServer(zone: DnsZone) {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (query, from) => {
    socket.send(replyTo(query, zone, questions), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const server = `127.0.0.1:${socket.address().port}`
  const resolver = new Resolver({ timeout: 1_000, tries: 1 })
  resolver.setServers([server])
  const lookup: LookupAll = (host) => resolver.resolve4(host)
  return { server, questions, lookup, stop: () => void socket.close() }
}

function replyTo(query: Buffer, zone: DnsZone, questions: string[]): Buffer {
  const { name, end } = nameAt(query, 12)
  const type = query.readUInt16BE(end)
  const question = query.subarray(12, end + 4)
  const before = questions.filter((asked) => asked === `a ${name}`).length
  const records = recordsOf(zone, { name, type, before })
  const kind = Object.entries(TYPES).find(([, number]) => number === type)?.[0] ?? String(type)
  questions.push(`${kind} ${name}`)
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (records.length === 0 ? NAME_ERROR : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question, ...records.map((data) => record(type, data))])
}

function recordsOf(zone: DnsZone, asked: { name: string; type: number; before: number }): Buffer[] {
  const { name, type, before } = asked
  if (type === TYPES.a) {
    const answers = zone.a?.[name] ?? []
    const addresses = answers[Math.min(before, answers.length - 1)] ?? []
    return addresses.map((address) => Buffer.from(address.split('.').map(Number)))
  }
  if (type === TYPES.mx)
    return (zone.mx?.[name] ?? []).map(([priority, host]) =>
      Buffer.concat([shorts(priority), encodedName(host)]),
    )
  if (type === TYPES.srv)
    return (zone.srv?.[name] ?? []).map(([priority, weight, port, host]) =>
      Buffer.concat([shorts(priority, weight, port), encodedName(host)]),
    )
  return []
}

/** The owner is the name in the question. */
const record = (type: number, data: Buffer) =>
  Buffer.concat([shorts(0xc00c, type, 1, 0, 60, data.length), data])

function shorts(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2)
  for (const [index, number] of numbers.entries()) bytes.writeUInt16BE(number, index * 2)
  return bytes
}

function encodedName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '')
  return Buffer.concat([
    ...labels.map((label) =>
      Buffer.from(`${String.fromCodePoint(label.length)}${label}`, 'latin1'),
    ),
    Buffer.alloc(1),
  ])
}

function nameAt(bytes: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    labels.push(bytes.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}
