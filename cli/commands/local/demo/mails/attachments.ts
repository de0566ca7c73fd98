import { crc32, deflateSync } from 'node:zlib'

import type { MailContent } from '../mail-transport.ts'

type Attachment = NonNullable<MailContent['attachments']>[number]
type Color = readonly [red: number, green: number, blue: number]

/** A one-page PDF with these lines of text (ISO 32000; Latin-1 only, the standard font has no more). */
export function pdf(filename: string, lines: readonly string[]): Attachment {
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')
  const page = `BT /F1 12 Tf 16 TL 60 770 Td\n${shown}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  file +=
    `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}` +
    `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return { filename, content: Buffer.from(file, 'latin1'), contentType: 'application/pdf' }
}

/** A picture that fades from one colour to another; with `cid` it can be shown inside the HTML. */
export function png(
  filename: string,
  {
    width,
    height,
    from,
    to,
    cid,
  }: { width: number; height: number; from: Color; to: Color; cid?: string },
): Attachment {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (const [channel, start] of from.entries()) {
        const share = (x / width + y / height) / 2
        const value = start + ((to[channel] ?? start) - start) * share
        rows[y * (1 + width * 3) + 1 + x * 3 + channel] = Math.round(value)
      }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits a channel, colour type RGB.
  header.set([8, 2], 8)
  const content = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  const shown = cid === undefined ? {} : { cid, contentDisposition: 'inline' as const }
  return { filename, content, contentType: 'image/png', ...shown }
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

export function csv(filename: string, rows: readonly (readonly string[])[]): Attachment {
  const quoted = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
  return { filename, content: quoted.join('\r\n'), contentType: 'text/csv; charset=utf-8' }
}

/** A contact (RFC 6350). */
export function vcard(person: { name: string; address: string; phone: string }): Attachment {
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `FN:${person.name}`,
    `EMAIL:${person.address}`,
    `TEL;TYPE=work:${person.phone}`,
    'END:VCARD',
  ]
  const filename = `${person.name}.vcf`
  return {
    filename,
    content: `${lines.join('\r\n')}\r\n`,
    contentType: 'text/vcard; charset=utf-8',
  }
}

/** A meeting request (RFC 5545), to be given as `icalEvent`. */
export function invitation(meeting: {
  uid: string
  title: string
  place: string
  start: Date
  minutes: number
  organizer: string
}): NonNullable<MailContent['icalEvent']> {
  const end = new Date(meeting.start.getTime() + meeting.minutes * 60_000)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Calendar//EN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    `UID:${meeting.uid}`,
    `DTSTAMP:${stamp(new Date(meeting.start.getTime() - 6 * 86_400_000))}`,
    `DTSTART:${stamp(meeting.start)}`,
    `DTEND:${stamp(end)}`,
    `SUMMARY:${meeting.title}`,
    `LOCATION:${meeting.place.replaceAll(',', '\\,')}`,
    `ORGANIZER:mailto:${meeting.organizer}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return { method: 'REQUEST', filename: 'invite.ics', content: `${lines.join('\r\n')}\r\n` }
}

const stamp = (date: Date) => date.toISOString().replaceAll(/[-:]|\.\d+/g, '')
