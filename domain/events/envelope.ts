/** What is told of an event, beside the id of the telling. `createdAt` is in milliseconds UTC. */
interface Told {
  readonly kind: string
  readonly createdAt: number
  readonly data: Readonly<Record<string, unknown>>
}

/** The body that a receiver gets: JSON with exactly four fields (spec section 6). Render it once and keep the bytes. */
export const envelopeText = (id: string, { kind, createdAt, data }: Told): string =>
  JSON.stringify({ id, event: kind, created_at: new Date(createdAt).toISOString(), data })
