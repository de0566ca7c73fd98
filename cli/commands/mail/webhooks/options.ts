import { InvalidArgumentError } from 'commander'

/** An id as it is typed. */
export function webhookId(text: string): string {
  if (/^[1-9]\d{0,14}$/.test(text)) return text
  throw new InvalidArgumentError('It must be a positive whole number.')
}

/** Names that are separated by commas, or by spaces. */
export const eventList = (text: string): string[] =>
  text.split(/[\s,]+/).filter((name) => name !== '')
