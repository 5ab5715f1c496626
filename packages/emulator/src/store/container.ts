import { compileIndexPolicy, type IndexNode, isAllIndexed } from '../charge/index-policy.ts'
import { effectiveKey } from '../partition/effective-key.ts'
import { parsePropertyPath, type PartitionKey } from '../partition/partition-key.ts'
import { type ContainerDefinition, type KeyDefinition, printKeyDefinition } from './container-definition.ts'
import { type KnownMembers, knownMembersOf, SYSTEM_PROPERTIES } from './document.ts'
import type { StoredItem } from './item.ts'
import type { Journal } from './journal.ts'
import { LogicalPartition } from './logical-partition.ts'
import type { Offer } from './offer.ts'
import { PartitionMap } from './partition-map.ts'
import { RangeSet, type RangeSetState } from './physical-range.ts'
import { RetainedVersions, retentionSecondsOf } from './retained-versions.ts'
import { Slabs } from './slab.ts'
import { VersionLog } from './version-log.ts'

/** A container: its definition, its ranges, and its items by logical partition. */
export class Container {
  readonly rid: string
  readonly self: string
  readonly number: number
  readonly database: string
  readonly key: KeyDefinition
  readonly keyPaths: readonly (readonly string[])[]
  readonly knownMembers: KnownMembers
  readonly uniquePaths: readonly (readonly (readonly string[])[])[]
  readonly ranges: RangeSet
  readonly partitions: PartitionMap = new PartitionMap()
  readonly slabs: Slabs = new Slabs()
  /** Id of the item that holds a value of a unique key, by logical partition, constraint and values. */
  readonly uniqueHolders: Map<string, string> = new Map()
  offer: Offer | undefined = undefined
  /** Defined if the container keeps all versions and deletes for the change feed. */
  retained: RetainedVersions | undefined = undefined
  /** Receives the changes of this container; undefined without a data folder. */
  journal: Journal | undefined = undefined
  #definition: ContainerDefinition
  #indexPolicy: IndexNode | undefined
  #isIndexed: boolean | undefined
  #timestamp: number
  #revision = 1
  #lastOrdinal = 0
  #lastVersion = 0
  #lastSequence = 0
  #appliedVersion = 0
  // the end of the ETags of a second, in which thousands of items are written
  #etagTimestamp = -1
  #etagEnd = ''
  itemCount = 0

  constructor(identity: ContainerIdentity, definition: ContainerDefinition, rangeCount: number) {
    this.rid = identity.rid
    this.self = `${identity.databaseSelf}colls/${identity.rid}/`
    this.number = identity.number
    this.database = identity.database
    this.key = definition.partitionKey
    this.keyPaths = definition.partitionKey.paths.map((path) => parsePropertyPath(path)!)
    this.knownMembers = knownMembersOf(this.keyPaths)
    this.uniquePaths = (definition.uniqueKeyPolicy?.uniqueKeys ?? []).map((key) =>
      key.paths.map((path) => parsePropertyPath(path)!)
    )
    this.ranges = new RangeSet(rangeCount, definition.partitionKey)
    this.#definition = definition
    this.#indexPolicy = compileIndexPolicy(definition.indexingPolicy)
    this.#isIndexed = isAllIndexed(this.#indexPolicy, SYSTEM_PROPERTIES)
    this.#timestamp = identity.timestamp
    this.#retainVersions()
  }

  get id(): string {
    return this.#definition.id
  }

  get definition(): ContainerDefinition {
    return this.#definition
  }

  get indexPolicy(): IndexNode | undefined {
    return this.#indexPolicy
  }

  /**
   * Whether all values of a document are indexed (true) or none (false); undefined when that depends on their paths.
   */
  get isIndexed(): boolean | undefined {
    return this.#isIndexed
  }

  get etag(): string {
    return toEtag(this.#revision, this.number, this.#timestamp)
  }

  /** The version of the newest applied write; versions order all writes of a container. */
  get lastVersion(): number {
    return this.#appliedVersion
  }

  /** Notes that the write with this version was applied. A refused write has a version, too, which no client sees. */
  applied(version: number, ordinal: number): void {
    this.#appliedVersion = version
    // only while a data folder is read, the write was decided by another process
    if (this.#lastVersion < version) this.#lastVersion = version
    if (this.#lastOrdinal < ordinal) this.#lastOrdinal = ordinal
  }

  /** Number of the next new document. Its resource id contains the number, and documents are read in this order. */
  nextOrdinal(): number {
    return ++this.#lastOrdinal
  }

  /** Number of the next change of a document. It determines the ETag and the order of the change feed. */
  nextVersion(): number {
    return ++this.#lastVersion
  }

  /** The number of the newest retained change. */
  get lastSequence(): number {
    return this.#lastSequence
  }

  /** Number of the next change that the container retains: a new version of an item, or a delete. */
  nextSequence(): number {
    return ++this.#lastSequence
  }

  change(definition: ContainerDefinition, timestamp: number): void {
    this.#definition = definition
    this.#indexPolicy = compileIndexPolicy(definition.indexingPolicy)
    this.#isIndexed = isAllIndexed(this.#indexPolicy, SYSTEM_PROPERTIES)
    this.#timestamp = timestamp
    this.#revision += 1
    this.#retainVersions()
  }

  /** The state that a data folder keeps, without the items. */
  state(): ContainerState {
    return {
      rid: this.rid,
      number: this.number,
      definition: this.#definition,
      timestamp: this.#timestamp,
      revision: this.#revision,
      lastOrdinal: this.#lastOrdinal,
      lastVersion: this.#appliedVersion,
      lastSequence: this.#lastSequence,
      ranges: this.ranges.state()
    }
  }

  /** Takes over a state that `state` returned. */
  restore(state: ContainerState): void {
    this.change(state.definition, state.timestamp)
    this.#revision = state.revision
    this.#lastOrdinal = state.lastOrdinal
    this.#lastVersion = state.lastVersion
    this.#appliedVersion = state.lastVersion
    this.#lastSequence = state.lastSequence
    this.ranges.restore(state.ranges)
    for (const [at, { lostVersions }] of state.ranges.ranges.entries())
      this.ranges.all[at].versions = lostVersions === undefined ? undefined : new VersionLog(lostVersions)
  }

  /** Notes when the items expire, after all of them were added at once. */
  noteExpiries(): void {
    if (this.retained === undefined) return
    this.retained = new RetainedVersions()
    this.retained.define(this.#definition, () => this.items())
  }

  /** The logical partition of a key. A new one is registered when its first item is stored. */
  partition(key: PartitionKey): LogicalPartition {
    const known = this.partitions.get(key.text)
    if (known !== undefined) return known
    const hashed = effectiveKey(key.values, this.key)
    return new LogicalPartition(key.text, hashed, this.ranges.owner(hashed))
  }

  /** The ETag of an item of this container. */
  itemEtag(version: number, timestamp: number): string {
    return `"${this.itemEtagText(version, timestamp)}"`
  }

  /** The same without the quotes. */
  itemEtagText(version: number, timestamp: number): string {
    if (timestamp !== this.#etagTimestamp) {
      this.#etagTimestamp = timestamp
      this.#etagEnd = etagEnd(this.number, timestamp)
    }
    return etagStart(version) + this.#etagEnd
  }

  /** All items, range by range, oldest first. */
  *items(): Generator<StoredItem> {
    for (const range of this.ranges.all) yield* range.items
  }

  // a container without a retention drops its logs; if it gets one again, it has lost the changes in between
  #retainVersions(): void {
    const isOn = retentionSecondsOf(this.#definition) > 0
    if (isOn === (this.retained === undefined)) {
      this.retained = isOn ? new RetainedVersions() : undefined
      const sequence = this.nextSequence()
      for (const range of this.ranges.all) {
        range.versions = isOn ? new VersionLog({ lsn: range.lsn, sequence }) : undefined
      }
    }
    this.retained?.define(this.#definition, () => this.items())
  }

  toJson(): Record<string, unknown> {
    return {
      ...this.#definition,
      partitionKey: printKeyDefinition(this.key),
      _rid: this.rid,
      _self: this.self,
      _etag: this.etag,
      _ts: this.#timestamp,
      _docs: 'docs/',
      _sprocs: 'sprocs/',
      _triggers: 'triggers/',
      _udfs: 'udfs/',
      _conflicts: 'conflicts/'
    }
  }
}

/** State of a container in a data folder. */
export interface ContainerState {
  readonly rid: string
  readonly number: number
  readonly definition: ContainerDefinition
  readonly timestamp: number
  readonly revision: number
  readonly lastOrdinal: number
  readonly lastVersion: number
  readonly lastSequence: number
  readonly ranges: RangeSetState
}

/** Identity of a container in its account. */
export interface ContainerIdentity {
  readonly rid: string
  readonly number: number
  readonly database: string
  readonly databaseSelf: string
  readonly timestamp: number
}

function toEtag(version: number, container: number, timestamp: number): string {
  return `"${etagStart(version)}${etagEnd(container, timestamp)}"`
}

function etagStart(version: number): string {
  return `${hex32(version | 0)}-${hex16(Math.floor(version / 0x100000000))}`
}

function etagEnd(container: number, timestamp: number): string {
  return `-${hex16(container)}-0000-${hex32(timestamp)}0000`
}

const HEX: readonly string[] = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'))

function hex16(value: number): string {
  return HEX[value & 0xffff]
}

function hex32(value: number): string {
  return HEX[value >>> 16] + HEX[value & 0xffff]
}
