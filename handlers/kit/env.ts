import type { Binding } from '../../domain/idempotency/bind.ts'
import type { UploadedData } from '../../domain/submission/attachment-input.ts'
import type { Caller } from '../../domain/tokens/authenticate.ts'
import type { Runtime } from '../../runtime/ports/runtime.ts'

/** What travels with a request. */
export interface ApiEnv {
  Variables: {
    runtime: Runtime
    /** The description of this API, made once. */
    document: () => { openapi: string }
    /** Set by the gate, so only behind it. */
    caller: Caller
    /** Set for a request with an Idempotency-Key, where the route takes one. */
    binding?: Binding
    /** Set for a large body: its long values of `data`, by what stands in the place of each. */
    longData?: ReadonlyMap<string, UploadedData>
  }
}
