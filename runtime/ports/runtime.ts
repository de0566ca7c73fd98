import type { BodyRenderer } from './body-renderer.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Dns } from './dns.ts'
import type { Logger } from './logger.ts'
import type { MailProbe } from './mail-probe.ts'
import type { MailServer } from './mail-server.ts'
import type { Metrics } from './metrics.ts'
import type { Outbound } from './outbound.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { SecretBox } from './secret-box.ts'
import type { SourceIntake } from './source-intake.ts'
import type { SourceReader } from './source-reader.ts'
import type { SourceStore } from './source-store.ts'
import type { Store } from './store.ts'
import type { Submission } from './submission.ts'
import type { Transcripts } from './transcripts.ts'
import type { Wake } from './wake.ts'

/** Everything a deployment supplies. */
export interface Runtime {
  readonly store: Store
  readonly sourceStore: SourceStore
  readonly sourceIntake: SourceIntake
  readonly clock: Clock
  readonly wake: Wake
  readonly mailServer: MailServer
  readonly transcripts: Transcripts
  readonly submission: Submission
  readonly bodyRenderer: BodyRenderer
  readonly outbound: Outbound
  readonly dns: Dns
  readonly mailProbe: MailProbe
  readonly sourceReader: SourceReader
  readonly passwordHasher: PasswordHasher
  readonly secretBox: SecretBox
  readonly rateLimiter: RateLimiter
  readonly logger: Logger
  readonly metrics: Metrics
  readonly config: Config
  /** Aborts when this process shall end: answers that go on for as long as somebody reads them end then. */
  readonly stopping: AbortSignal
}

/** The ports one verb, middleware or worker uses, spelled out in its signature. */
export type Needs<Port extends keyof Runtime> = Pick<Runtime, Port>
