import type { Store } from '../../runtime/ports/store.ts'

/** The store, its long reads on this thread too: where statements are recorded and time is measured. */
export const readingHere = (store: Store): Store => ({ ...store, longRead: store.read })
