/** Nothing can be written where the data is kept. The message says in plain words why, and names no path. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}
