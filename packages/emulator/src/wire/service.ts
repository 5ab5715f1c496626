import type { Engine } from '../store/execute.ts'
import type { Account } from '../store/account.ts'
import type { Settings } from '../settings.ts'
import type { Querier } from './querier.ts'

/** Everything that handlers work with. */
export interface Service {
  readonly account: Account
  readonly engine: Engine
  readonly settings: Settings
  readonly querier: Querier
  readonly now: () => number
}
