import type { DataLog } from '../data/data-log.ts'
import type { Engine } from '../engine/execute.ts'
import type { Mover } from '../engine/mover.ts'
import type { Faults } from '../fault/faults.ts'
import type { Settings } from '../settings.ts'
import type { Account } from '../store/account.ts'
import type { KeptResults } from './continuation.ts'
import type { Querier } from './querier.ts'

/** Dependencies of handlers. */
export interface Service {
  readonly account: Account
  readonly engine: Engine
  readonly settings: Settings
  readonly querier: Querier
  readonly results: KeptResults
  readonly mover: Mover
  readonly faults: Faults
  /** Keeps all changes; undefined without a data folder. */
  readonly data: DataLog | undefined
  readonly now: () => number
}
