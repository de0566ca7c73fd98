import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['domain', 'handlers', 'db', 'runtime', 'workers']
const FILES = [
  '.dependency-cruiser.mjs',
  '.oxlintrc.json',
  'openapi.config.ts',
  'package.json',
  'tsconfig.json',
]

const copy = temporaryDirectory()
afterAll(() => copy[Symbol.dispose]())

/** Files that break a rule, each in its own way. */
const PLANTED = {
  'runtime/node/planted-smtp.ts':
    "import { createTransport } from 'nodemailer'\nexport const a = createTransport\n",
  'domain/planted-runtime.ts':
    "import { readFileSync } from 'node:fs'\nexport const a = readFileSync\n",
  'domain/planted-type.ts': "import type { Context } from 'hono'\nexport type A = Context\n",
  'domain/planted-handler.ts':
    "import { createApi } from '../handlers/api.ts'\nexport const a = createApi\n",
  'domain/planted-handler-type.ts':
    "import type { ApiEnv } from '../handlers/kit/env.ts'\nexport type A = ApiEnv\n",
  'domain/planted-link.ts':
    "import { systemClock } from '../runtime/node/clock.ts'\nexport const a = systemClock\n",
}

beforeAll(() => {
  for (const name of FOLDERS) cpSync(join(ROOT, name), join(copy.path, name), { recursive: true })
  for (const name of FILES) cpSync(join(ROOT, name), join(copy.path, name))
  symlinkSync(join(ROOT, 'node_modules'), join(copy.path, 'node_modules'))
})

const run = (program: string, args: readonly string[]) => {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>()
  execFile(
    join(ROOT, 'node_modules/.bin', program),
    args,
    { cwd: copy.path, maxBuffer: 64 * 1024 * 1024 },
    (error, output) => resolve({ code: error ? 1 : 0, output }),
  )
  return promise
}

interface Cruise {
  readonly modules: readonly unknown[]
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { name: string } }[]
  }
}

async function cruise(): Promise<Cruise> {
  const args = ['--config', '.dependency-cruiser.mjs', '-T', 'json', ...FOLDERS]
  return JSON.parse((await run('depcruise', args)).output) as Cruise
}

describe('before anything is planted', () => {
  test('dependency-cruiser sees the modules, and no rule is broken', async () => {
    const { modules, summary } = await cruise()
    expect(modules.length).toBeGreaterThan(100)
    expect(summary.violations).toEqual([])
  })
})

describe('a planted violation is seen', () => {
  beforeAll(() => {
    mkdirSync(join(copy.path, 'domain'), { recursive: true })
    for (const [name, text] of Object.entries(PLANTED)) writeFileSync(join(copy.path, name), text)
    const api = join(copy.path, 'handlers/health/get.ts')
    writeFileSync(api, "export { a as getHealth } from '../../domain/planted-link.ts'\n")
  })

  test('by oxlint: packages, also for their types only', async () => {
    const { code, output } = await run('oxlint', ['--format', 'unix', 'domain'])
    expect(code).toBe(1)
    expect(output).toMatch(/planted-runtime\.ts.*no-restricted-imports/)
    expect(output).toMatch(/planted-type\.ts.*no-restricted-imports/)
  })

  test('by dependency-cruiser: layers, for types only and over other files too', async () => {
    const { summary } = await cruise()
    const seen = summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`)
    expect(seen).toContain('layer-domain: domain/planted-handler.ts')
    expect(seen).toContain('layer-domain: domain/planted-handler-type.ts')
    expect(seen).toContain('layer-domain: domain/planted-link.ts')
    expect(seen).toContain('portable-stays-portable: handlers/api.ts')
    expect(seen).toContain('smtp-library-has-its-folder: runtime/node/planted-smtp.ts')
  })
})
