import type { LateRequest } from '@keystamp/cosmos'
import type { Consumer } from './consume/consumer-port.ts'
import type { Decoder } from './decode/decoder.ts'
import type { AuthGrace } from './lifecycle/auth-grace.ts'
import type { Clock } from './lifecycle/clock.ts'
import type { Tolerance } from './dead-letter/rejection-handler.ts'
import type { DeadLetterWriter } from './dead-letter/dead-letter-writer.ts'
import type { Log } from './log.ts'
import type { Target } from './write/target.ts'

/** What a sink touches of the machine and of the network; tests hand in others. */
export interface SinkSurroundings {
  readonly clock: Clock
  readonly log: Log
  /** Default: refused credentials end the sink. */
  readonly auth?: AuthGrace | undefined
  readonly createConsumer: () => Consumer
  readonly createDecoder: () => Decoder
  readonly createDeadLetterWriter: () => DeadLetterWriter | undefined
  readonly createTolerance: () => Tolerance | undefined
  /**
   * While `maySend` answers false the target sends nothing; `onStopped` is called when it can never send anything again, `onLate` for each
   * request that may have been applied after a partition of it had moved, or may be applied after its retry.
   */
  readonly openTarget: (
    container: string,
    maySend: () => boolean,
    onStopped: (error: Error) => void,
    onLate: (late: LateRequest) => void
  ) => Promise<Target>
}
