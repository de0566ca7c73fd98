#!/usr/bin/env -S node --max-semi-space-size=8
// Left to itself, each process would keep a hundred megabytes more for what is dead at once.

/** Where zstd came to node:zlib. */
const NODE_VERSION_MIN = [22, 15] as const

// Whatever this process or its children create is for their owner only.
process.umask(0o077)
process.stdout.on('error', endUnwritten)

if (isTooOld(process.versions.node)) {
  process.stderr.write(
    `svc needs Node ${NODE_VERSION_MIN.join('.')} or newer; this is ${process.versions.node}.\n`,
  )
  process.exit(1)
}
// Loaded only now: an older Node could not read them.
await import('./remembered-resolutions.ts')
const { run } = await import('./program.ts')
const exitCode = await run(process.argv.slice(2))
// A pipe takes its time: the callback comes when everything before it is out, or says that it never will be.
process.stdout.write('', (error) => (error ? endUnwritten(error) : process.exit(exitCode)))

/** A reader that has seen enough, such as head, is no error. */
function endUnwritten(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`svc: The output could not be written: ${error.message}\n`)
  process.exit(1)
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [neededMajor, neededMinor] = NODE_VERSION_MIN
  return major < neededMajor || (major === neededMajor && minor < neededMinor)
}
