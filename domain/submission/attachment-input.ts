import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'
import { type Base64, base64Size } from './base64.ts'
import { fieldText } from './field-text.ts'

/** An attachment as it is sent with a request. */
export interface AttachmentInput {
  readonly filename: string
  readonly contentType: string
  /** Base64 (RFC 4648 section 4); white space in it counts for nothing. */
  readonly data: Base64
}

const ATTACHMENTS_MAX = 100
const ATTACHED_MIB_MAX = 25
const FILENAME_CHARS_MAX = 255
/** RFC 6838 section 4.2, and the parameters of RFC 2045 section 5.1. */
const CONTENT_TYPE =
  /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}(?:\s*;\s*[a-z0-9!#$&^_.+-]+=(?:[\w!#$%&'*+.^`{|}~-]+|"[ !#-[\]-~]*"))*$/i

/**
 * The attachments with names and types as they may be written. Throws `invalid_request` that names which one is wrong,
 * or says that they are too large, before a byte of any is decoded.
 */
export async function checkedAttachments(
  { clock }: Needs<'clock'>,
  inputs: readonly AttachmentInput[],
): Promise<readonly AttachmentInput[]> {
  if (inputs.length > ATTACHMENTS_MAX) {
    throw invalidRequest(`attachments: there can be at most ${ATTACHMENTS_MAX}.`)
  }
  const checked = inputs.map((input, index) => ({
    filename: fileName(`attachments.${index}.filename`, input.filename),
    contentType: contentType(`attachments.${index}.content_type`, input.contentType),
    data: input.data,
  }))
  let total = 0
  for (const [index, { data }] of inputs.entries()) {
    const size = await base64Size(data, () => clock.sleep(0))
    if (size === undefined) throw invalidRequest(`attachments.${index}.data: is no valid base64.`)
    total += size
    if (total > ATTACHED_MIB_MAX * 1024 * 1024) {
      throw invalidRequest(`attachments: have at most ${ATTACHED_MIB_MAX} MiB in all.`)
    }
  }
  return checked
}

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
