import { SERVICE_NAME, SERVICE_VERSION, TOKEN_PREFIX } from './domain/identity.ts'

/** What the description of the API says beside its paths. */
export const openApiConfig = {
  openapi: '3.1.0',
  info: {
    title: 'Mailbox Automation Service',
    version: SERVICE_VERSION,
    summary: 'Your own mailbox, for programs.',
    description:
      `The REST API of \`${SERVICE_NAME}\`, a self-hosted mail client. Ids are integers, timestamps are RFC 3339 in ` +
      'UTC, and a value that is not known is absent rather than null. Every failure has the same body; branch on ' +
      'its `code`.',
    contact: { name: 'The owner of this instance' },
    license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
  },
  servers: [{ url: '/', description: 'This instance' }],
  tags: [
    { name: 'service', description: 'The service itself. Open: no token, no licence.' },
    { name: 'tokens', description: 'The token a request is made with.' },
    { name: 'accounts', description: 'Mail accounts and how their sync stands.' },
    { name: 'folders', description: "Each account's folder tree." },
    { name: 'messages', description: 'Messages, their headers, sources and attachments.' },
    { name: 'sending', description: 'Sending messages, and the outbox where they wait.' },
    { name: 'threads', description: 'Conversations over all folders of an account.' },
    { name: 'drafts', description: 'Messages that are being written.' },
    { name: 'filters', description: 'Rules for mail that arrives in an inbox.' },
    { name: 'webhooks', description: 'Receivers that are told of events, and what was delivered.' },
    { name: 'changes', description: 'What changed since a reader last looked.' },
  ],
}

/** How requests are authenticated, for the description. */
export const tokenSecurity = {
  type: 'http' as const,
  scheme: 'bearer',
  bearerFormat: TOKEN_PREFIX,
  description:
    `A personal access token; it starts with \`${TOKEN_PREFIX}\`. \`x-scope\` at an operation is the scope its ` +
    'token needs.',
}
