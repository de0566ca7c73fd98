import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startService, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Packs the package and unpacks it as an installation would; the dependencies are those of this tree. */
function installPackage(): { readonly program: string; readonly installed: string } {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', directory.path], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  const modules = join(directory.path, 'node_modules')
  mkdirSync(modules)
  execFileSync('tar', ['-xzf', filename], { cwd: directory.path })
  for (const name of dependencies()) {
    mkdirSync(join(modules, name, '..'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  const installed = join(directory.path, 'package')
  return { program: join(installed, 'dist/cli/main.js'), installed }
}

/** What an installation brings: a package that is only there for development must not be needed. */
function dependencies(): readonly string[] {
  const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8')
  return Object.keys((JSON.parse(manifest) as { dependencies: object }).dependencies)
}

test('the packed package runs from plain JavaScript, both halves of it', async () => {
  const { program, installed } = installPackage()
  expect(statSync(program).mode & 0o111).not.toBe(0)
  expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env -S node /)
  expect(readdirSync(installed)).toEqual(expect.arrayContaining(['dist', 'package.json']))
  expect(readdirSync(join(installed, 'dist'))).not.toContain('test')

  const version = await svc(['--version'], { program })
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^svc \d+\.\d+\.\d+\n$/) })
  const described = await svc(['openapi'], { program })
  expect(JSON.parse(described.stdout)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })

  const env = { SVC_DATA_DIR: join(installed, 'data') }
  const service = await startService(['serve'], { env, program })
  expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
  const page = await fetch(service.url)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  while (!service.stderr().includes('"The sidecar runs."'))
    await new Promise((resolve) => service.process.stderr?.once('data', resolve))
})
