import type { Context } from 'hono'
import type { Runtime } from '../runtime/ports/runtime.ts'
import { listAccounts } from './accounts/list.ts'
import { listChanges } from './changes/list.ts'
import { createDraft } from './drafts/create.ts'
import { deleteDraft } from './drafts/delete.ts'
import { getDraft } from './drafts/get.ts'
import { listDrafts } from './drafts/list.ts'
import { sendDraft } from './drafts/send.ts'
import { updateDraft } from './drafts/update.ts'
import { createFilter } from './filters/create.ts'
import { deleteFilter } from './filters/delete.ts'
import { listFilters } from './filters/list.ts'
import { updateFilter } from './filters/update.ts'
import { listFolders } from './folders/list.ts'
import { getHealth } from './health/get.ts'
import { createRouter } from './kit/router.ts'
import { archiveMessage } from './messages/archive.ts'
import { batchMessages } from './messages/batch.ts'
import { deleteMessage } from './messages/delete.ts'
import { forwardMessageAsEml } from './messages/forward-eml.ts'
import { getAttachment } from './messages/get-attachment.ts'
import { getMessageHeaders } from './messages/get-headers.ts'
import { getMessage } from './messages/get.ts'
import { getRawMessage } from './messages/get-raw.ts'
import { listMessages } from './messages/list.ts'
import { searchMessages } from './messages/search.ts'
import { sendMessage } from './messages/send.ts'
import { markMessageAsSpam } from './messages/spam.ts'
import { updateMessage } from './messages/update.ts'
import { getOpenApi } from './openapi/get.ts'
import { cancelOutboxEntry } from './outbox/cancel.ts'
import { getOutboxEntry } from './outbox/get.ts'
import { listOutbox } from './outbox/list.ts'
import { rescheduleOutboxEntry } from './outbox/reschedule.ts'
import { getSearchJob } from './search-jobs/get.ts'
import { getSuggestions } from './search-suggestions/get.ts'
import { getThread } from './threads/get.ts'
import { getTokenSelf } from './tokens/get-self.ts'
import { createWebhook } from './webhooks/create.ts'
import { deleteWebhook } from './webhooks/delete.ts'
import { getWebhookDelivery } from './webhooks/get-delivery.ts'
import { getWebhook } from './webhooks/get.ts'
import { listWebhookDeliveries } from './webhooks/list-deliveries.ts'
import { listWebhooks } from './webhooks/list.ts'
import { listenToWebhooks } from './webhooks/listen.ts'
import { pauseWebhook } from './webhooks/pause.ts'
import { replayWebhookDelivery } from './webhooks/replay-delivery.ts'
import { resumeWebhook } from './webhooks/resume.ts'
import { rotateWebhookSecret } from './webhooks/rotate-secret.ts'
import { testWebhook } from './webhooks/test.ts'
import { updateWebhook } from './webhooks/update.ts'

/** Answered to everyone: no token, no licence. */
export const openEndpoints = [getHealth, getOpenApi] as const

/** Answered behind the gate. */
export const gatedEndpoints = [
  getTokenSelf,
  listAccounts,
  listFolders,
  listMessages,
  searchMessages,
  getMessage,
  updateMessage,
  deleteMessage,
  getMessageHeaders,
  getRawMessage,
  getAttachment,
  archiveMessage,
  markMessageAsSpam,
  batchMessages,
  forwardMessageAsEml,
  sendMessage,
  listOutbox,
  getOutboxEntry,
  rescheduleOutboxEntry,
  cancelOutboxEntry,
  getSearchJob,
  getSuggestions,
  getThread,
  listDrafts,
  createDraft,
  getDraft,
  updateDraft,
  deleteDraft,
  sendDraft,
  listFilters,
  createFilter,
  updateFilter,
  deleteFilter,
  listWebhooks,
  createWebhook,
  // Before the webhook of that id.
  listenToWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  testWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  getWebhookDelivery,
  replayWebhookDelivery,
  listChanges,
] as const

/** The API under `/api`, over the runtime that a request belongs to. Build it once. */
export const createApi = (runtimeOf: (c: Context) => Runtime) =>
  createRouter(runtimeOf, { open: openEndpoints, gated: gatedEndpoints })
