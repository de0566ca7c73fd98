import type { ImapFlow } from 'imapflow'

/** Whether the server has Gmail's IMAP extensions: labels, message and thread ids. */
export const hasGmailLabels = (client: ImapFlow): boolean => client.capabilities.has('X-GM-EXT-1')
