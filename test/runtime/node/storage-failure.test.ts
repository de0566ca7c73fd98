import { constants } from 'node:os'
import { getSystemErrorName } from 'node:util'
import { LibsqlError } from '@libsql/client/sqlite3'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { describe, expect, test } from 'vitest'
import { withoutParameters } from '../../../runtime/node/query-parameters.ts'
import { storageFailure } from '../../../runtime/node/storage-failure.ts'
import { StorageError } from '../../../runtime/ports/storage-error.ts'

const PATH = '/srv/mail/svc.db'
const fileError = (code: string) => Object.assign(new Error(`${code}: open '${PATH}'`), { code })
/** As Node says it, which has no name for most. */
const codeOf = (errno: number) => getSystemErrorName(-errno)
const databaseError = (code: string) => new LibsqlError(`${code}: ${PATH}`, code)
const queryError = (cause: Error) => new DrizzleQueryError('insert into x', ['hunter2'], cause)

describe('what a failed write is told as', () => {
  test.each([
    databaseError('SQLITE_FULL'),
    queryError(databaseError('SQLITE_FULL')),
    fileError('ENOSPC'),
    fileError('EDQUOT'),
  ])('%s: the disk is full', (error) => {
    expect(storageFailure(error)).toBeInstanceOf(StorageError)
    expect(storageFailure(error)).toMatchObject({
      message: expect.stringMatching(/^The disk is full\./),
      cause: error,
    })
  })

  test.each([
    databaseError('SQLITE_IOERR'),
    databaseError('SQLITE_READONLY'),
    databaseError('SQLITE_CANTOPEN'),
    queryError(databaseError('SQLITE_IOERR')),
    fileError('EROFS'),
    fileError('EACCES'),
    fileError('EFBIG'),
    fileError(codeOf(constants.errno.EBADMSG)),
  ])('%s: the data directory cannot be written', (error) => {
    expect(storageFailure(error)).toMatchObject({
      name: 'StorageError',
      message: expect.stringMatching(/^The data directory cannot be written\./),
    })
    expect(String(storageFailure(error))).not.toContain(PATH)
  })

  test.each([databaseError('SQLITE_CONSTRAINT'), databaseError('SQLITE_BUSY'), new Error('no'), 7])(
    '%s: itself',
    (error) => expect(storageFailure(error)).toBe(error),
  )
})

test('an error of a query loses what the query was run with, wherever it stands', () => {
  const error = new Error('outer', { cause: queryError(databaseError('SQLITE_CONSTRAINT')) })
  expect(String((error.cause as Error).stack)).toContain('hunter2')
  expect(withoutParameters(error)).toBe(error)
  const { message, stack, params } = error.cause as DrizzleQueryError
  expect(message).toBe('Failed query: insert into x')
  expect(`${stack} ${JSON.stringify(params)}`).not.toContain('hunter2')
})
