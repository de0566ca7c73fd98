import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A way in which a disk really fails, under a directory. */
export interface FailingDisk {
  /** What is tried, for the output of a test. */
  readonly name: string
  /** Makes the directory ready; throws where this machine does not allow it. */
  prepare(directory: string): void
  /** From now on these processes cannot write there. */
  fail(directory: string, processes: readonly number[]): void
  /** Makes it writable again. */
  mend(directory: string, processes: readonly number[]): void
  /** Whether the processes have to end before it can be mended. */
  readonly mendsAfterEnd?: true
  /** Whether it fails for every process, those that start later too. */
  readonly isForAll: boolean
  /** Takes away what `prepare` made. */
  remove(directory: string): void
}

const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })

const nothing = () => {}

const BLOCK = Buffer.alloc(4_096)

/** No process of ours may make a file longer than a block: nothing else is needed of the machine. */
const fileSizeLimit: FailingDisk = {
  name: 'files that may not grow',
  prepare: () => void run('prlimit', '--version'),
  fail: (_directory, processes) => limitFiles(processes, String(BLOCK.length)),
  mend: (_directory, processes) => limitFiles(processes, 'unlimited'),
  isForAll: false,
  remove: nothing,
}

function limitFiles(processes: readonly number[], bytes: string): void {
  for (const pid of processes) run('prlimit', '--pid', String(pid), `--fsize=${bytes}:`)
}

const DISK_MIB = 24

/** A small disk of memory that something else fills to its last block. */
const fullDisk: FailingDisk = {
  name: 'a full disk',
  prepare: (directory) =>
    void run('mount', '-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', directory),
  fail: (directory) => {
    try {
      for (;;) writeFileSync(join(directory, 'filler'), BLOCK, { flag: 'a' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  },
  mend: (directory) => rmSync(join(directory, 'filler')),
  isForAll: true,
  remove: (directory) => void run('umount', '--lazy', directory),
}

/** Files that nobody may change, the superuser neither. */
const immutableFiles: FailingDisk = {
  name: 'files that may not change',
  prepare: (directory) => {
    const probe = join(directory, 'probe')
    writeFileSync(probe, '')
    run('chattr', '+i', probe)
    run('chattr', '-i', probe)
    rmSync(probe)
  },
  fail: (directory) => void run('chattr', '-R', '+i', directory),
  mend: (directory) => mutable(directory),
  isForAll: true,
  remove: (directory) => mutable(directory),
}

const mutable = (directory: string) => void run('chattr', '-R', '-i', directory)

const mountImage = (directory: string) =>
  run('mount', '-o', 'loop,errors=remount-ro', imageOf(directory), directory)

const imageOf = (directory: string) => `${directory}.img`

/** A file system that turned read-only after an error of its own, as Linux does to spare what is left. */
const readOnlyFileSystem: FailingDisk = {
  name: 'a file system that turned read-only',
  prepare: (directory) => {
    const image = imageOf(directory)
    writeFileSync(image, Buffer.alloc(DISK_MIB * 1024 * 1024))
    run('mkfs.ext4', '-q', '-F', image)
    mountImage(directory)
    if (existsSync(errorTrigger(directory))) return
    readOnlyFileSystem.remove(directory)
    throw new Error('This kernel cannot be asked for an error.')
  },
  fail: (directory) => {
    writeFileSync(errorTrigger(directory), '1')
    loseUnwritten(directory)
  },
  mend: (directory) => {
    run('umount', directory)
    mountImage(directory)
  },
  mendsAfterEnd: true,
  isForAll: true,
  remove: (directory) => {
    run('umount', '--lazy', directory)
    rmSync(imageOf(directory))
  },
}

/**
 * What was not written before is lost once the kernel needs its memory for something else: now, not sometime. The names
 * that it remembers go with a change of the mount, whether or not that is granted.
 */
const loseUnwritten = (directory: string) =>
  spawnSync('mount', ['-i', '-o', 'remount,ro', deviceOf(directory), directory])

const errorTrigger = (directory: string) =>
  `/sys/fs/ext4/${basename(deviceOf(directory))}/trigger_fs_error`

const deviceOf = (directory: string) => run('findmnt', '-no', 'SOURCE', directory).trim()

export const failingDisks: readonly FailingDisk[] = [
  fileSizeLimit,
  fullDisk,
  immutableFiles,
  readOnlyFileSystem,
]

/** The directory with such a disk in it, or why this machine has none. */
export function prepareDisk(disk: FailingDisk, directory: string): string | undefined {
  mkdirSync(directory, { recursive: true })
  try {
    disk.prepare(directory)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
