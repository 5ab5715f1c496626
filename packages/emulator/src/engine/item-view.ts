import { valueAt } from '../partition/partition-key.ts'
import type { Container } from '../store/container.ts'
import { isExpired, type ItemState } from '../store/item.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import type { Decision } from './item-operation.ts'

/** A container as an operation sees it. */
export interface ItemView {
  find(partition: LogicalPartition, id: string): ItemState | undefined
  /** The id of the item that holds a value of a unique key. */
  holder(uniqueValue: string): string | undefined
}

/** The current state of the container. */
export class CurrentView implements ItemView {
  readonly #container: Container
  readonly #nowMs: number

  constructor(container: Container, nowMs: number) {
    this.#container = container
    this.#nowMs = nowMs
  }

  find(partition: LogicalPartition, id: string): ItemState | undefined {
    const item = partition.get(id)
    return item === undefined || isExpired(item, this.#container.definition.defaultTtl, this.#nowMs) ? undefined : item
  }

  holder(uniqueValue: string): string | undefined {
    return this.#container.uniqueHolders.get(uniqueValue)
  }
}

/** The state of the container after decisions that are not applied yet. */
export class StagedView implements ItemView {
  readonly #base: ItemView
  readonly #items: Map<string, ItemState | undefined> = new Map()
  readonly #holders: Map<string, string | undefined> = new Map()

  constructor(base: ItemView) {
    this.#base = base
  }

  find(partition: LogicalPartition, id: string): ItemState | undefined {
    return this.#items.has(id) ? this.#items.get(id) : this.#base.find(partition, id)
  }

  holder(uniqueValue: string): string | undefined {
    return this.#holders.has(uniqueValue) ? this.#holders.get(uniqueValue) : this.#base.holder(uniqueValue)
  }

  /** Adds a decision to this view; `freed` are the unique values that the item held before. */
  stage(decision: Decision, freed: readonly string[]): void {
    if (decision.effect === 'none') return
    for (const value of freed) this.#holders.set(value, undefined)
    for (const value of decision.uniqueValues) this.#holders.set(value, decision.id)
    if (decision.formerId !== undefined) this.#items.set(decision.formerId, undefined)
    this.#items.set(decision.id, decision.effect === 'put' ? decision.item : undefined)
  }
}

/** The values of unique keys that a document holds inside its logical partition; a missing value counts as null. */
export function uniqueValues(container: Container, partition: LogicalPartition, document: { readonly value: unknown }): readonly string[] {
  if (container.uniquePaths.length === 0) return NONE
  const { value } = document
  return container.uniquePaths.map((paths, constraint) => {
    const values = paths.map((path) => valueAt(value, path) ?? null)
    return JSON.stringify([partition.keyText, constraint, values])
  })
}

/** The unique values that a stored item holds. */
export function uniqueValuesOf(container: Container, partition: LogicalPartition, item: ItemState | undefined): readonly string[] {
  if (item === undefined || container.uniquePaths.length === 0) return NONE
  return uniqueValues(container, partition, { value: JSON.parse(item.json()) })
}

const NONE: readonly string[] = []
