import { StorageError } from '../ports/storage-error.ts'

const FULL = 'The disk is full. Mail comes in again as soon as there is room.'
const UNWRITABLE =
  'The data directory cannot be written. Mail comes in again as soon as it can be; the log says more.'

/** What Linux says of structures on a disk that make no sense, EBADMSG and EUCLEAN: Node has no names for them. */
const CORRUPT = ['Unknown system error -74', 'Unknown system error -117']

/** By the code of the database engine, extended or not, or of the file system. */
const WORDS: Readonly<Record<string, string>> = {
  SQLITE_FULL: FULL,
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_IOERR: UNWRITABLE,
  SQLITE_READONLY: UNWRITABLE,
  SQLITE_CANTOPEN: UNWRITABLE,
  SQLITE_PERM: UNWRITABLE,
  EROFS: UNWRITABLE,
  EACCES: UNWRITABLE,
  EPERM: UNWRITABLE,
  EFBIG: UNWRITABLE,
  EIO: UNWRITABLE,
  ...Object.fromEntries(CORRUPT.map((code) => [code, UNWRITABLE])),
}

/**
 * What a failed write is to be thrown as: a `StorageError` where the disk is the reason, however deep it stands
 * among the causes, else the error itself.
 */
export function storageFailure(error: unknown): unknown {
  if (error instanceof StorageError) return error
  const words = diskWords(error)
  return words === undefined ? error : new StorageError(words, { cause: error })
}

/** Whether a failed read says that the disk cannot give the file now. */
export function isDiskUnreadable(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code !== undefined && ['EIO', ...CORRUPT].includes(code)
}

function diskWords(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as NodeJS.ErrnoException
  return (code === undefined ? undefined : WORDS[code]) ?? diskWords(error.cause)
}
