import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'
import { base64Size } from './base64.ts'
import { fieldText } from './field-text.ts'

/** Bytes that were stored while they arrived. */
export interface UploadedData {
  readonly dataId: string
  /** Bytes; undefined where they came in broken base64. */
  readonly size: number | undefined
}

/** An attachment as it is sent with a request. */
export interface AttachmentInput {
  readonly filename: string
  readonly contentType: string
  /** Base64 (RFC 4648 section 4); white space in it counts for nothing. */
  readonly data: string | UploadedData
}

/** The same, whose size is known. */
export interface CheckedAttachment extends AttachmentInput {
  readonly data: string | (UploadedData & { readonly size: number })
}

export const attachmentsMax = 100
const ATTACHED_MIB_MAX = 25
export const attachedBytesMax = ATTACHED_MIB_MAX * 1024 * 1024
const FILENAME_CHARS_MAX = 255
/** RFC 6838 section 4.2, and the parameters of RFC 2045 section 5.1. */
const CONTENT_TYPE =
  /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}(?:\s*;\s*[a-z0-9!#$&^_.+-]+=(?:[\w!#$%&'*+.^`{|}~-]+|"[ !#-[\]-~]*"))*$/i

/**
 * The attachments with names and types as they may be written. Throws `invalid_request` that names which one is wrong,
 * or says that they are too large.
 */
export async function checkedAttachments(
  ctx: Needs<'clock'>,
  inputs: readonly AttachmentInput[],
): Promise<readonly CheckedAttachment[]> {
  if (inputs.length > attachmentsMax) {
    throw invalidRequest(`attachments: there can be at most ${attachmentsMax}.`)
  }
  const named = inputs.map((input, index) => ({
    filename: fileName(`attachments.${index}.filename`, input.filename),
    contentType: contentType(`attachments.${index}.content_type`, input.contentType),
    data: input.data,
  }))
  const checked: CheckedAttachment[] = []
  let total = 0
  for (const [index, { data, ...attachment }] of named.entries()) {
    const size = await sizeOf(ctx, data)
    if (size === undefined) throw invalidRequest(`attachments.${index}.data: is no valid base64.`)
    total += size
    if (total > attachedBytesMax) {
      throw invalidRequest(`attachments: have at most ${ATTACHED_MIB_MAX} MiB in all.`)
    }
    checked.push({ ...attachment, data: typeof data === 'string' ? data : { ...data, size } })
  }
  return checked
}

const sizeOf = async ({ clock }: Needs<'clock'>, data: AttachmentInput['data']) =>
  typeof data === 'string' ? base64Size(data, () => clock.sleep(0)) : data.size

function fileName(field: string, written: string): string {
  const name = fieldText(field, written).trim()
  if (name === '' || name.length > FILENAME_CHARS_MAX) {
    throw invalidRequest(`${field}: must have 1 to ${FILENAME_CHARS_MAX} characters.`)
  }
  if (/[/\\]|^\.{1,2}$|^[a-z]:/i.test(name)) {
    throw invalidRequest(`${field}: must be a name without a path.`)
  }
  return name
}

/** What is made of several parts is a message's own affair. */
function contentType(field: string, written: string): string {
  const type = fieldText(field, written).trim()
  if (!CONTENT_TYPE.test(type) || /^multipart\//i.test(type)) {
    throw invalidRequest(`${field}: must be a media type such as application/pdf.`)
  }
  return type
}
