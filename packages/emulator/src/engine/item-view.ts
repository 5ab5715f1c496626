import { type PartitionKey, valueAt } from '../partition/partition-key.ts'
import { isObject } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import { CanonicalDocument, ObjectDocument } from '../store/document.ts'
import { isExpired, type ItemState, StagedItem } from '../store/item.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import type { Decision, Refusal } from './item-operation.ts'

/** The state of a container that an operation reads. */
export interface ItemView {
  find(partition: LogicalPartition, id: string): ItemState | undefined
  /** The id of the item that holds a value of a unique key. */
  holder(uniqueValue: string): string | undefined
  /** The last id for which nothing was stored, not even an expired item; undefined if the view does not know. */
  readonly missedId: string | undefined
}

/** The current state of the container. */
export class CurrentView implements ItemView {
  missedId: string | undefined = undefined
  readonly #container: Container
  readonly #nowMs: number

  constructor(container: Container, nowMs: number) {
    this.#container = container
    this.#nowMs = nowMs
  }

  find(partition: LogicalPartition, id: string): ItemState | undefined {
    const item = partition.get(id)
    if (item === undefined) {
      this.missedId = id
      return undefined
    }
    return isExpired(item, this.#container.definition.defaultTtl, this.#nowMs) ? undefined : item
  }

  holder(uniqueValue: string): string | undefined {
    return this.#container.uniqueHolders.get(uniqueValue)
  }
}

/** The state of the container after decisions that are not applied yet. */
export class StagedView implements ItemView {
  // an earlier operation of the batch may store the item
  readonly missedId: undefined = undefined
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
export function uniqueValues(
  container: Container,
  partition: LogicalPartition,
  document: { readonly value: unknown }
): readonly string[] {
  if (container.uniquePaths.length === 0) return NONE
  const { value } = document
  return container.uniquePaths.map((paths, constraint) => {
    const values = paths.map((path) => valueAt(value, path) ?? null)
    return JSON.stringify([partition.keyText, constraint, values])
  })
}

/** The unique values that a stored item holds. */
export function uniqueValuesOf(
  container: Container,
  partition: LogicalPartition,
  item: ItemState | undefined
): readonly string[] {
  if (item === undefined || container.uniquePaths.length === 0) return NONE
  return uniqueValues(container, partition, { value: JSON.parse(item.json()) })
}

const NONE: readonly string[] = []

// of UTF-8 JSON
const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024

/** Checks the body of a write against the rules of the service, and returns an item that can be stored. */
export function readDocument(container: Container, body: unknown, key: PartitionKey): StagedItem | Refusal {
  if (!isObject(body)) return refusal('The document must be a JSON object.')
  const document = body instanceof CanonicalDocument ? body : new ObjectDocument(body)
  const { id, ttl } = document
  const idProblem = problemOfId(id)
  if (idProblem !== undefined) return refusal(idProblem)
  if (document.keyText(container) !== key.text) return refusal(KEY_MISMATCH, 1001)
  if (ttl !== undefined && !isTtl(ttl)) return refusal(TTL_INVALID)
  const terms = document.terms(container)
  if (terms < 0) return refusal('The document is nested too deeply: at most 128 levels are allowed.')
  const { length } = document
  if (length > MAX_DOCUMENT_BYTES) return { status: 413, subStatus: 0, message: TOO_LARGE }
  return new StagedItem(document, { id: id as string, ttl: ttl as number | undefined, terms, length })
}

/** The problem with an id; undefined when it is valid. */
export function problemOfId(id: unknown): string | undefined {
  if (id === undefined) return "The input content is invalid because the required properties - 'id; ' - are missing."
  if (typeof id !== 'string') return "The property 'id' must be a string."
  if (id.length === 0) return "The property 'id' must not be empty."
  if (id.length > 340 && Buffer.byteLength(id) > MAX_ID_BYTES)
    return `The property 'id' is longer than ${MAX_ID_BYTES} bytes.`
  if (id.includes('/') || id.includes('\\')) return "The property 'id' must not contain '/' or '\\'."
  return undefined
}

/** The problem with a key for this container; undefined when it is valid. */
export function problemOfKey(key: PartitionKey, container: Container): Refusal | undefined {
  if (key.values.length !== container.keyPaths.length) {
    const message = `Partition key provided either doesn't correspond to definition in the collection or doesn't match partition key field values specified in the document: it has ${key.values.length} of the ${container.keyPaths.length} components that the container defines.`
    return refusal(message, 1001)
  }
  if (key.text.length < 34) return undefined
  const bytes = key.values.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 8),
    0
  )
  return bytes > MAX_KEY_BYTES ? refusal(`The partition key is longer than ${MAX_KEY_BYTES} bytes.`) : undefined
}

const KEY_MISMATCH = "PartitionKey extracted from document doesn't match the one specified in the header."

const TOO_LARGE = '{"Errors":["Request size is too large"]} A document has at most 2 MB.'
const TTL_INVALID = "The property 'ttl' must be -1 or a whole number of seconds from 1 to 2147483647."
const MAX_ID_BYTES = 1023
// also for version 1, which hashes only the first 101 bytes
const MAX_KEY_BYTES = 2048

function refusal(message: string, subStatus = 0): Refusal {
  return { status: 400, subStatus, message }
}

function isTtl(ttl: unknown): boolean {
  return typeof ttl === 'number' && Number.isInteger(ttl) && (ttl === -1 || (ttl > 0 && ttl <= 2_147_483_647))
}
