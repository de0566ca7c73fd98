import type { Condition } from './options.ts'

/** A condition as it is typed, such as `subject contains invoice`; undefined where it is none. */
export function parseCondition(text: string): Condition | undefined {
  const [, field, op, value] =
    /^(from|to|subject|body) (contains|regex) (.+)$/s.exec(text.trimStart()) ?? []
  if (field === undefined || op === undefined || value === undefined) return undefined
  return { field: field as Condition['field'], op: op as Condition['op'], value }
}
