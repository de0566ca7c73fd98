import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signatureHeader } from '../../domain/webhooks/signature.ts'
import { eventually } from '../support/eventually.ts'
import { freePorts } from '../../cli/commands/local/demo/loopback.ts'
import { listenedApi } from '../support/listened-api.ts'
import { startSvc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

/** The programs of the section, by the name each gives itself, just as they are printed. */
function program(name: string): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, section = ''] = readme.split('\n## Receiving webhooks\n')
  const [own = ''] = section.split('\n## ')
  const blocks = [...own.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = '']) => code)
  const found = blocks.find((code) => code.split('\n')[0]?.includes(name))
  if (found === undefined) throw new Error(`The README has no ${name}.`)
  return found
}

function written(name: string): { readonly file: string; readonly directory: string } {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const file = join(directory.path, name)
  writeFileSync(file, program(name))
  return { file, directory: directory.path }
}

const SECRET = 'whsec_of-the-test'
const BODY = '{"id":"evt_1","event":"sync.error","created_at":"","data":{"subject":"Grüße"}}'
const bytes = new TextEncoder().encode(BODY)
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000)
const signed = (secret: string, at = new Date()) => signatureHeader(secret, bytes, at)

const now = () => Math.floor(Date.now() / 1_000)

interface Case {
  readonly what: string
  readonly header?: () => string
  readonly body?: string
  readonly taken?: true
}

/** What a receiver has to refuse, and two that it has to take. */
const CASES: readonly Case[] = [
  { what: 'what was just signed', header: () => signed(SECRET), taken: true },
  { what: 'four minutes old', header: () => signed(SECRET, secondsAgo(240)), taken: true },
  { what: 'six minutes old', header: () => signed(SECRET, secondsAgo(360)) },
  { what: 'from the future', header: () => signed(SECRET, secondsAgo(-360)) },
  { what: 'another secret', header: () => signed('whsec_another') },
  { what: 'another body', header: () => signed(SECRET), body: BODY.replace('Gr', 'gr') },
  { what: 'the same in other bytes', header: () => signed(SECRET), body: BODY.replace(':', ': ') },
  {
    what: 'another time',
    header: () => signed(SECRET, secondsAgo(9)).replace(/\d+/, String(now())),
  },
  { what: 'half a signature', header: () => signed(SECRET).slice(0, -2) },
  { what: 'an empty signature', header: () => `t=${now()},v1=` },
  { what: 'no sense', header: () => 't=x,v1=y' },
  { what: 'no signature' },
]

describe('receiver.mjs', () => {
  async function start(secret: string, port: number) {
    const { file } = written('receiver.mjs')
    const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: String(port) }
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    onTestFinished(async () => {
      child.kill()
      await ended
    })
    const url = `http://127.0.0.1:${port}/`
    await eventually(async () => fetch(url))
    return { url, child, output: () => output }
  }

  test('takes what is genuine and refuses everything else, and nothing ends it', async () => {
    const [port = 0] = await freePorts(1)
    const { url, child, output } = await start(SECRET, port)
    for (const { what, header, body = BODY, taken } of CASES) {
      const headers = header === undefined ? {} : { 'X-Svc-Signature': header() }
      const { status } = await fetch(url, { method: 'POST', headers, body })
      expect({ what, status }).toEqual({ what, status: taken ? 204 : 400 })
    }
    const large = fetch(url, { method: 'POST', body: 'x'.repeat(2 * 1024 * 1024) })
    await expect(large).rejects.toThrow('fetch failed')
    const cut = connect(port, '127.0.0.1')
    cut.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12')
    cut.end()
    await once(cut.resume(), 'close')
    expect((await fetch(url)).status).toBe(400)
    expect(child.exitCode).toBeNull()
    expect(output()).toBe('sync.error evt_1 Grüße\n'.repeat(2))
  })

  test('takes what the listener forwards', async () => {
    const api = await listenedApi()
    const [port = 0] = await freePorts(1)
    const args = ['mail', 'webhooks', 'listen', '-forward-to', `127.0.0.1:${port}`]
    const listener = startSvc(args, { env: api.client })
    await eventually(async () => expect(listener.stderr()).toContain('Ready'))
    const [secret = ''] = /whsec_\S+/.exec(listener.stderr()) ?? []
    const { output } = await start(secret, port)
    await api.tell(1)
    await eventually(async () => expect(listener.stdout()).toMatch(/ -> 204 /))
    await eventually(async () => expect(output()).toContain('sync.error evt_1 '))
  })
})

describe('verify.sh', () => {
  test.each(CASES)('$what', async ({ header, body = BODY, taken }) => {
    const { file, directory } = written('verify.sh')
    const [headersFile, bodyFile] = [join(directory, 'headers.txt'), join(directory, 'body.json')]
    const lines = ['POST / HTTP/1.1', 'Content-Type: application/json']
    const all = header === undefined ? lines : [...lines, `x-svc-signature: ${header()}`]
    writeFileSync(headersFile, `${all.join('\r\n')}\r\n\r\n`)
    writeFileSync(bodyFile, body)
    const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: SECRET }
    const child = spawn('sh', [file, headersFile, bodyFile], { env, stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    expect(code).toBe(taken ? 0 : 1)
  })
})
