/** Without \Recent, which is of one session and no property of the message (RFC 3501 section 2.3.2). */
export const sortedFlags = (flags: ReadonlySet<string> | undefined) =>
  [...(flags ?? [])].filter((flag) => flag !== '\\Recent').toSorted()
