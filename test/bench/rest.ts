import { setTimeout as delay } from 'node:timers/promises'

const REST_MS = 60_000

/** The minute after which a service that was told nothing counts as idle. */
export const rest = () => delay(REST_MS)
