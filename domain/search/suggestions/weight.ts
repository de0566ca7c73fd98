const DAY_MS = 86_400_000
const HALF_LIFE_MS = 90 * DAY_MS
/** The unit, a use then, is as good as any other: sums stay finite far beyond the year 2200. */
const UNIT_AT_MS = Date.UTC(2000, 0, 1)

/**
 * How much a use at this time counts: half as much as one 90 days later. Sums of these tell how often and how lately
 * something was used, and keep their order while time passes.
 */
export const weightOf = (usedAtMs: number): number => 2 ** ((usedAtMs - UNIT_AT_MS) / HALF_LIFE_MS)
