import type { Needs } from '../../runtime/ports/runtime.ts'

/** As many receivers as there are likely to be at once. */
const KEPT = 1_000

/** Secrets by their sealed form: one that was changed is sealed anew, so an old one is never used for it. */
export interface OpenedSecrets {
  open(sealed: string): Promise<string>
}

/** Opens each secret once while it is in use. */
export function openedSecrets({ secretBox }: Needs<'secretBox'>): OpenedSecrets {
  const opened = new Map<string, Promise<string>>()
  return {
    open(sealed) {
      const known = opened.get(sealed)
      if (known) return known
      if (opened.size >= KEPT) opened.clear()
      const opening = secretBox.open(sealed)
      opened.set(sealed, opening)
      opening.catch(() => opened.delete(sealed))
      return opening
    },
  }
}
