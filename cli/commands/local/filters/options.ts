/** A condition of a rule that is tried before it exists. */
export interface Condition {
  readonly field: 'from' | 'to' | 'subject' | 'body'
  readonly op: 'contains' | 'regex'
  readonly value: string
}

/** Of `svc filters test`. */
export interface TestFilterOptions {
  readonly condition?: readonly Condition[]
  readonly account?: string
  readonly json?: true
}
