import type { KeyValue, Rejection } from '@keystamp/core'
import type { Body } from '../batch/body.ts'

/** A record whose place is known. */
export interface Named {
  readonly ok: true
  readonly values: readonly KeyValue[]
  readonly id: string
  readonly body: Body | undefined
}

export type Naming = Named | Rejection
