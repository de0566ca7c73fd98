/** One figure of the bench. All texts carry their units. */
export interface Row {
  readonly work: string
  readonly figure: string
  /** What the same run measured of something that cannot be faster, or of a peer. */
  readonly floor?: string
  readonly ratio?: string
  readonly bar?: string
  /** Absent where there is no bar. */
  readonly met?: boolean
}

const HEADINGS = ['work', 'figure', 'floor, same run', 'ratio', 'bar', 'met'] as const

/** The rows as a Markdown table with aligned columns. */
export function markdownTable(rows: readonly Row[]): string {
  const lines = [HEADINGS, ...rows.map(cells)]
  const widths = HEADINGS.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  const show = (line: readonly string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [headings = [], ...body] = lines
  return [
    show(headings),
    show(widths.map((width) => '-'.repeat(width))),
    ...body.map((line) => show(line)),
  ].join('\n')
}

const cells = ({ work, figure, floor = '', ratio = '', bar = 'reported', met }: Row) => [
  work,
  figure,
  floor,
  ratio,
  bar,
  met === undefined ? '' : met ? 'yes' : 'NO',
]

const decimals = (value: number) => (Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0)

/** A number with about three digits, thousands separated. */
export const number = (value: number) =>
  value.toLocaleString('en-GB', {
    minimumFractionDigits: decimals(value),
    maximumFractionDigits: decimals(value),
  })

export const ms = (value: number) => `${number(value)} ms`
export const seconds = (valueMs: number) => `${number(valueMs / 1_000)} s`
export const MEBIBYTE = 1_048_576
export const mebibytes = (bytes: number) => `${number(bytes / MEBIBYTE)} MiB`
