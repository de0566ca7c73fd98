import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ReceivedRequest } from './webhook-receiver.ts'

/** Whether the signature of a request is right, as a receiver checks it that knows only the specification. */
export function isSignedWith({ headers, body }: ReceivedRequest, secret: string): boolean {
  const header = String(headers['x-svc-signature'])
  const { t = '', v1 = '' } = Object.fromEntries(header.split(',').map((part) => part.split('=')))
  const mac = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  const isFresh = Math.abs(Date.now() / 1000 - Number(t)) < 300
  return isFresh && v1.length === 64 && timingSafeEqual(mac, Buffer.from(v1, 'hex'))
}
