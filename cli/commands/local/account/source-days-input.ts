import type { ServerOptions } from './options.ts'

/** How far back sources shall be kept; empty where nothing is said of it. */
export const sourceDaysInput = ({
  keepSources,
}: ServerOptions): { readonly sourceDays?: number | null } =>
  keepSources === undefined ? {} : { sourceDays: keepSources === 'all' ? null : keepSources }
