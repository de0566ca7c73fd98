import type { SourceReading } from '../../runtime/ports/source-reader.ts'
import { upstream } from '../errors.ts'

/** What was read from the source of a message. Throws `upstream` when nothing could be, now or ever. */
export async function readSource<Found>(reading: Promise<SourceReading<Found>>): Promise<Found> {
  const read = await reading.catch((cause: unknown) => {
    throw upstream('The source of this message could not be read.', cause)
  })
  if (read === 'missing') throw upstream('The source of this message is not at hand now.')
  if (read === 'header_only') throw upstream('This message is too large to be kept here.')
  return read.found
}
