import { expect, test } from 'vitest'
import { specialUses } from '../../../domain/folders/special-use.ts'
import type { Mailbox } from '../../../runtime/ports/mail-server.ts'

const mailbox = (path: string, specialUseAttribute?: string, declared = true): Mailbox => ({
  path,
  delimiter: '/',
  ...(specialUseAttribute && { specialUseAttribute }),
  specialUseDeclared: declared,
  selectable: true,
})

test('attributes of RFC 6154 become roles', () => {
  const roles = specialUses([
    mailbox('INBOX', '\\Inbox'),
    mailbox('Gesendet', '\\Sent'),
    mailbox('Entwürfe', '\\Drafts'),
    mailbox('Archiv', '\\Archive'),
    mailbox('Papierkorb', '\\Trash'),
    mailbox('Werbung', '\\Junk'),
    mailbox('Rechnungen'),
  ])
  expect(Object.fromEntries(roles)).toEqual({
    INBOX: 'inbox',
    Gesendet: 'sent',
    Entwürfe: 'drafts',
    Archiv: 'archive',
    Papierkorb: 'trash',
    Werbung: 'spam',
  })
})

test('a role that the server declares wins over one guessed from a name', () => {
  const roles = specialUses([
    mailbox('Sent', '\\Sent', false),
    mailbox('Sent Items', '\\Sent', true),
  ])
  expect([...roles]).toEqual([['Sent Items', 'sent']])
})

test('a role is given once, and never to a mailbox that can hold no mail', () => {
  const container = { ...mailbox('Trash', '\\Trash'), selectable: false }
  const roles = specialUses([container, mailbox('Bin', '\\Trash'), mailbox('Old bin', '\\Trash')])
  expect([...roles]).toEqual([['Bin', 'trash']])
})

test('attributes without a role of ours are no role', () => {
  expect(specialUses([mailbox('All Mail', '\\All'), mailbox('Starred', '\\Flagged')]).size).toBe(0)
})
