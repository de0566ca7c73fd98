import type { Config } from '../../runtime/ports/config.ts'

/** Whether the automation layer answers, and when not, why and where its owner can see to it. */
export type LicenceState =
  | { readonly kind: 'open' }
  | {
      readonly kind: 'closed'
      readonly code: 'licence_required'
      readonly message: string
      readonly url: string
    }

/** Where the licence of this instance stands. Mail itself is never gated. */
export function licenceState(config: Pick<Config, 'automation' | 'baseUrl'>): LicenceState {
  if (config.automation) return { kind: 'open' }
  return {
    kind: 'closed',
    code: 'licence_required',
    message: 'The automation layer is switched off on this instance.',
    url: `${config.baseUrl}/settings/licence`,
  }
}
