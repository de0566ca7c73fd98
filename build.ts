import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

// Makes dist/, which is what runs and what the package holds: plain JavaScript, the migrations and the built pages.
const root = import.meta.dirname
const dist = join(root, 'dist')
const next = join(root, 'dist.next')
const last = join(root, 'dist.last')
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const remove = (path: string) => rmSync(path, { recursive: true, force: true })

remove(next)
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', next], {
  cwd: root,
  stdio: 'inherit',
})
cpSync(join(root, 'db/migrations'), join(next, 'db/migrations'), { recursive: true })
await build({ root: join(root, 'web'), logLevel: 'warn' })
cpSync(join(root, 'web/dist'), join(next, 'web/dist'), { recursive: true })
chmodSync(join(next, 'cli/main.js'), 0o755)

// In one go, since a service that runs from dist/ still loads from it.
remove(last)
if (existsSync(dist)) renameSync(dist, last)
renameSync(next, dist)
remove(last)
