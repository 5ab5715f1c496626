import type { Throughput } from '../charge/throughput.ts'
import type { ContainerDefinition } from './container-definition.ts'
import type { Container } from './container.ts'
import type { StagedItem, StoredItem } from './item.ts'
import type { OfferState } from './offer.ts'
import type { RangeSetState } from './physical-range.ts'
import type { UserState } from './user.ts'

/** Receives all changes of an account in their order. The log of a data folder implements it. */
export interface Journal {
  /** Called after a resource other than an item has changed. */
  resource(change: ResourceChange): void
  /** Called before an item is stored. */
  put(container: Container, item: StagedItem, context: PutContext): void
  /** Called before an item is removed. */
  remove(container: Container, item: StoredItem, removal: Removal): void
  /** Called before the state of a stored item changes or is dropped. */
  changing(container: Container, item: StoredItem): void
}

/** Circumstances of a stored item. */
export interface PutContext {
  readonly keyText: string
  /** The former id of the item, when a replace gives it another one. */
  readonly formerId: string | undefined
}

/** Circumstances of the removal of an item. */
export interface Removal {
  readonly kind: 'delete' | 'expiry'
  /** LSN of the change; an expired item of a container that does not keep all versions is removed without one. */
  readonly lsn: number | undefined
  /** Seconds since 1970. */
  readonly timestamp: number
}

/** A change of a resource other than an item. */
export type ResourceChange =
  | {
      readonly kind: 'createDatabase'
      readonly id: string
      readonly throughput?: Throughput | undefined
      readonly timestamp: number
    }
  | { readonly kind: 'deleteDatabase'; readonly id: string }
  | {
      readonly kind: 'createContainer'
      readonly database: string
      readonly definition: ContainerDefinition
      readonly throughput?: Throughput | undefined
      readonly rangeCount: number
      readonly timestamp: number
    }
  | {
      readonly kind: 'changeContainer'
      readonly database: string
      readonly definition: ContainerDefinition
      readonly timestamp: number
    }
  | { readonly kind: 'deleteContainer'; readonly database: string; readonly id: string }
  | { readonly kind: 'ranges'; readonly container: number; readonly state: RangeSetState }
  | { readonly kind: 'offer'; readonly state: OfferState }
  | { readonly kind: 'user'; readonly database: string; readonly state: UserState }
  | { readonly kind: 'deleteUser'; readonly database: string; readonly id: string }
  | { readonly kind: 'clock'; readonly aheadMs: number }
