import { expect, test } from 'vitest'
import { webhookReceiver } from '../lab/webhook-receiver.ts'
import { isSignedWith } from '../lab/webhook-signature.ts'
import { eventually } from '../support/eventually.ts'
import { serviceWithMail } from '../support/service-with-mail.ts'
import { smallMail as mail } from '../support/small-mail.ts'
import { startWebhookService, webhookClient } from '../support/webhook-service.ts'

test('a receiver hears of new mail and of what another mail client does with it', async () => {
  const { service, client, svc } = await serviceWithMail([mail('old')])
  const scopes = ['--label', 'hooks', '--scopes', 'webhooks:manage']
  const token = (await svc('token', 'create', ...scopes)).stdout.trim()
  const api = webhookClient(service.url, token)
  const receiver = await webhookReceiver()
  const events = ['message.updated', 'message.received']
  const { secret } = await api('POST', '/webhooks', { url: receiver.url, events })
  await client.append('INBOX', mail('new'))
  await eventually(async () => expect(receiver.received).toHaveLength(1))
  await client.mailboxOpen('INBOX')
  await client.messageFlagsAdd('2', ['\\Flagged'])
  await eventually(async () => expect(receiver.received).toHaveLength(2))
  for (const request of receiver.received) expect(isSignedWith(request, String(secret))).toBe(true)
  const told = receiver.received.map(({ body }) => JSON.parse(body.toString()) as object)
  const message = { subject: 'new', folder: 'INBOX', from: expect.any(Object) }
  expect(told).toMatchObject([
    { event: 'message.received', data: message },
    { event: 'message.updated', data: { ...message, change: 'starred', origin: 'external' } },
  ])
  await eventually(async () =>
    expect(await api('GET', '/webhooks/1')).toMatchObject({
      stats: { total: 2, success_rate: 100, failing: 0, pending: 0, last_status: 'ok' },
    }),
  )
})

test('a test goes out at once, is retried by hand, and waits while the webhook is paused', async () => {
  const { client: api, service } = await startWebhookService()
  const statuses = [500, 200, 200]
  const receiver = await webhookReceiver((response) => {
    response.writeHead(statuses.shift() ?? 500).end('geheim')
  })
  const url = `${receiver.url}?key=geheim`
  const { secret } = await api('POST', '/webhooks', { url, events: [] })
  await api('POST', '/webhooks/1/test')
  await eventually(async () =>
    expect(await api('GET', '/webhooks/1/deliveries/1')).toMatchObject({
      status: 'failed',
      last_status_code: 500,
      response_body: 'geheim',
    }),
  )
  const { secret: rotated } = await api('POST', '/webhooks/1/secret', {})
  await api('POST', '/webhooks/1/deliveries/1/replay')
  const becomes = (expected: object) =>
    eventually(async () =>
      expect(await api('GET', '/webhooks/1/deliveries/1')).toMatchObject(expected),
    )
  await becomes({ status: 'ok', attempts: 1 })
  await api('POST', '/webhooks/1/pause')
  expect(await api('POST', '/webhooks/1/deliveries/1/replay')).toMatchObject({
    status: 'pending',
    webhook: { active: false },
  })
  await api('POST', '/webhooks/1/resume')
  await becomes({ status: 'ok', attempts: 1 })
  const [first, ...later] = receiver.received
  expect(first && isSignedWith(first, String(secret))).toBe(true)
  expect(later.map((request) => isSignedWith(request, String(rotated)))).toEqual([true, true])
  expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1)
  expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(1)
  const log = service.stdout() + service.stderr()
  expect(log).toContain('"event":"ping"')
  expect(log).not.toMatch(/geheim|whsec_|v1=/)
})
