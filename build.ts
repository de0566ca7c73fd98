import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

// Makes dist/, which is what the package holds: plain JavaScript, the migrations and the built pages.
const root = import.meta.dirname
const dist = join(root, 'dist')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

rmSync(dist, { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
cpSync(join(root, 'db/migrations'), join(dist, 'db/migrations'), { recursive: true })
await build({ root: join(root, 'web'), logLevel: 'warn' })
cpSync(join(root, 'web/dist'), join(dist, 'web/dist'), { recursive: true })
chmodSync(join(dist, 'cli/main.js'), 0o755)
