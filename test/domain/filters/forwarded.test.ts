import { expect, test } from 'vitest'
import { mayNotBeForwarded } from '../../../domain/filters/forwarded.ts'

const isKept = (header: string) => mayNotBeForwarded(new TextEncoder().encode(`${header}\r\n\r\n`))

test.each([
  'From: a@x\r\nX-Svc-Forwarded-By: ada@example.org',
  'x-svc-forwarded-by: ada@example.org\r\nFrom: a@x',
  'Return-Path: <>\r\nFrom: MAILER-DAEMON@x',
  'From: MAILER-DAEMON@x\r\nContent-Type: multipart/report;\r\n report-type=delivery-status',
])('%j would never end', (header) => expect(isKept(header)).toBe(true))

test.each([
  'Return-Path: <a@x>\r\nFrom: a@x\r\nContent-Type: multipart/mixed; boundary=a',
  'Subject: Return-Path: <>',
  'Subject: a\r\n X-Svc-Forwarded-By: b',
])('%j is forwarded', (header) => expect(isKept(header)).toBe(false))
