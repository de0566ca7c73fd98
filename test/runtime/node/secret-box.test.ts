import { expect, test } from 'vitest'
import { aesSecretBox } from '../../../runtime/node/secret-box.ts'

const key = (byte: number) => new Uint8Array(32).fill(byte)

test('what was sealed opens with the same key', async () => {
  const sealed = await aesSecretBox(key(1)).seal('pässword')
  expect(await aesSecretBox(key(1)).open(sealed)).toBe('pässword')
})

test('the sealed text has a version, differs each time and does not hold the secret', async () => {
  const box = aesSecretBox(key(1))
  const [first, second] = [await box.seal('password'), await box.seal('password')]
  expect(first).toMatch(/^v1\.[\w-]+$/)
  expect(first).not.toBe(second)
  expect(Buffer.from(first.slice(3), 'base64url').toString('latin1')).not.toContain('password')
})

test('another key, an altered text and an unknown format are refused', async () => {
  const box = aesSecretBox(key(1))
  const sealed = await box.seal('password')
  await expect(aesSecretBox(key(2)).open(sealed)).rejects.toThrow('sealed with another key')
  const altered = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
  await expect(box.open(altered)).rejects.toThrow('sealed with another key')
  await expect(box.open(sealed.replace('v1', 'v2'))).rejects.toThrow('unknown format')
})

test('a text that was sealed earlier still opens', async () => {
  const sealed = 'v1.BNWhOhKRCtuDRBDo5vRB2IoSe_gIXKHgAlmhgV-j1COdQJahT8vgI3QwcUQJkZeuQPxYAsU'
  expect(await aesSecretBox(key(7)).open(sealed)).toBe('a password from last year')
})
