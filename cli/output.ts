/** Prints data. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Prints data for programs. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))

/** Tells people something; never data. */
export const note = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** Prints rows below their headings, in columns. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const lines = [headings, ...rows].map((row) => row.map(oneLine))
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  for (const line of lines)
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

/** Text of others on one line and without control characters, which a terminal would obey. */
export const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').trim()
