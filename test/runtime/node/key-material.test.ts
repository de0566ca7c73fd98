import { readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openKeyMaterial } from '../../../runtime/node/key-material.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

test('the key file is created once, for its owner only', () => {
  using directory = temporaryDirectory()
  const dataDir = directory.path
  const first = openKeyMaterial({ dataDir }).derive('secret-box')
  expect(openKeyMaterial({ dataDir }).derive('secret-box')).toEqual(first)
  const file = join(dataDir, 'secret.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file)).toHaveLength(32)
})

test('each purpose has a key of its own, which does not give the secret away', () => {
  const keys = openKeyMaterial({ dataDir: '/nowhere', secret: 'a secret of the owner' })
  const box = Buffer.from(keys.derive('secret-box')).toString('hex')
  const sidecar = Buffer.from(keys.derive('sidecar-secret')).toString('hex')
  expect(box).not.toBe(sidecar)
  expect(box).toBe('598c459da5b8184316a6a504e0dbb11d870171fb1aa47ea9ad18f8a362006506')
  expect(sidecar).toBe('4e4f4bec90ef3e61ddb5af6a0daafc3ce60ea6b6dbdbde8cba0892cb9366d2d3')
})

test('a key file that lost bytes is refused, not replaced', () => {
  using directory = temporaryDirectory()
  openKeyMaterial({ dataDir: directory.path })
  truncateSync(join(directory.path, 'secret.key'), 10)
  expect(() => openKeyMaterial({ dataDir: directory.path })).toThrow(/secret\.key is damaged/)
})
