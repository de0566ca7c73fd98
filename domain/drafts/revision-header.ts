import { SERVICE_NAME } from '../identity.ts'

/** The header field that says which revision of a draft a copy on the server is. */
export const REVISION_FIELD = `X-${SERVICE_NAME.replace(/^./, (first) => first.toUpperCase())}-Draft-Revision`

const REVISION = new RegExp(`^${REVISION_FIELD}:[ \\t]*(\\d{1,15})[ \\t]*\\r?$`, 'im')

/** The revision that a copy says it is; undefined where it says none. */
export function revisionOf(headersRaw: Uint8Array): number | undefined {
  const revision = REVISION.exec(new TextDecoder('latin1').decode(headersRaw))?.[1]
  return revision === undefined ? undefined : Number(revision)
}
