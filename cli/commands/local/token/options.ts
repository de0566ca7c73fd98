/** Of `svc token create`. */
export interface CreateTokenOptions {
  readonly label: string
  readonly scopes: string
  readonly expires?: string
  readonly json?: true
}
