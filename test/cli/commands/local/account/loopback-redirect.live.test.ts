import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listenForRedirect } from '../../../../../cli/commands/local/account/loopback-redirect.ts'

async function listening() {
  const listener = await listenForRedirect()
  onTestFinished(() => listener.close())
  const redirect = listener.redirect((query) => query.get('state') === 'ours')
  /** The status line that a request for this target gets, in whatever form it is. */
  const statusOf = async (target: string) => {
    const socket = connect(listener.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.end(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return (await text(socket)).split('\r\n', 1)[0]
  }
  return { redirect, statusOf }
}

test('the first redirect that is ours is taken', async () => {
  const { redirect, statusOf } = await listening()
  expect(await statusOf('/?state=theirs&code=x')).toBe('HTTP/1.1 404 Not Found')
  expect(await statusOf('/favicon.ico')).toBe('HTTP/1.1 404 Not Found')
  expect(await statusOf('/?state=ours&code=y')).toBe('HTTP/1.1 200 OK')
  expect((await redirect).get('code')).toBe('y')
})

test.each(['//', '//[', 'http://[/', '/\\['])(
  'a request for %s, which is no address, is refused, and the wait goes on',
  async (target) => {
    const { redirect, statusOf } = await listening()
    expect(await statusOf(target)).toMatch(/^HTTP\/1\.1 400 /)
    expect(await statusOf('/?state=ours&code=y')).toBe('HTTP/1.1 200 OK')
    expect((await redirect).get('code')).toBe('y')
  },
)
