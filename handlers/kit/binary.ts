import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Download } from '../../runtime/ports/source-reader.ts'

/** Bytes of a media type, for the description; in OpenAPI 3.1 such a schema says nothing more. */
export const Bytes = z.unknown().openapi({ description: 'The bytes.' })

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

/** Answers bytes that came by mail: to be saved, never shown, whatever they claim to be. */
export const attachmentResponse = (
  c: Context,
  { size, stream }: Download,
  file: { readonly contentType: string; readonly filename: string },
) =>
  c.body(stream, 200, {
    'Content-Type': MEDIA_TYPE.test(file.contentType)
      ? file.contentType
      : 'application/octet-stream',
    'Content-Length': String(size),
    'Content-Disposition': contentDisposition(file.filename),
    'Content-Security-Policy': "default-src 'none'; sandbox",
  })

/**
 * `attachment` with the file name in both forms of RFC 6266: plain ASCII for old clients, and RFC 8187 for the
 * name itself when the plain form cannot say it.
 */
export function contentDisposition(filename: string): string {
  const name = filename.toWellFormed().replaceAll(/[\p{Cc}/\\]/gu, '_')
  const plain = name.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["%]/g, '_')
  const exact = plain === name ? '' : `; filename*=UTF-8''${extValue(name)}`
  return `attachment; filename="${plain}"${exact}`
}

/** encodeURIComponent leaves these five alone, which RFC 8187 section 3.2.1 does not allow. */
const extValue = (name: string) =>
  encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
