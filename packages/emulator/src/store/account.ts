import type { Throughput } from '../charge/throughput.ts'
import { ServiceError } from '../service-error.ts'
import type { ContainerDefinition } from './container-definition.ts'
import { Container } from './container.ts'
import { Offer } from './offer.ts'
import { containerRid, databaseRid, offerRid } from './resource-id.ts'

/** All stored resources: databases, their containers, and the offers of both. */
export class Account {
  readonly databases: Map<string, Database> = new Map()
  readonly offers: Map<string, Offer> = new Map()
  #databasesMade = 0
  #containersMade = 0
  #offersMade = 0

  createDatabase(id: string, throughput: Throughput | undefined, timestamp: number): Database {
    if (this.databases.has(id))
      throw new ServiceError(409, `Resource with specified id or name already exists: the database '${id}'.`)
    this.#databasesMade += 1
    const database = new Database(id, databaseRid(this.#databasesMade), this.#databasesMade, timestamp)
    this.databases.set(id, database)
    if (throughput !== undefined) database.offer = this.#createOffer(database, throughput, timestamp)
    return database
  }

  deleteDatabase(database: Database): void {
    for (const container of database.containers.values()) this.deleteContainer(database, container)
    this.#deleteOffer(database.offer)
    this.databases.delete(database.id)
  }

  createContainer(
    database: Database,
    definition: ContainerDefinition,
    how: { throughput: Throughput | undefined; rangeCount: number; timestamp: number }
  ): Container {
    const { id } = definition
    if (database.containers.has(id))
      throw new ServiceError(409, `Resource with specified id or name already exists: the container '${id}'.`)
    this.#containersMade += 1
    const identity = {
      rid: containerRid(database.number, database.nextContainerNumber()),
      number: this.#containersMade,
      database: database.id,
      databaseSelf: database.self,
      timestamp: how.timestamp
    }
    const container = new Container(identity, definition, how.rangeCount)
    database.containers.set(id, container)
    if (how.throughput !== undefined) container.offer = this.#createOffer(container, how.throughput, how.timestamp)
    return container
  }

  deleteContainer(database: Database, container: Container): void {
    this.#deleteOffer(container.offer)
    database.containers.delete(container.id)
  }

  /** A database by its name, else by its resource id. */
  findDatabase(nameOrRid: string): Database | undefined {
    return this.databases.get(nameOrRid) ?? findByRid(this.databases, nameOrRid)
  }

  /** A container by two names or by two resource ids; a path must not mix them. */
  findContainer(databaseNameOrRid: string, nameOrRid: string): Container | undefined {
    const database = this.findDatabase(databaseNameOrRid)
    if (database === undefined) return undefined
    return database.id === databaseNameOrRid
      ? database.containers.get(nameOrRid)
      : findByRid(database.containers, nameOrRid)
  }

  #createOffer(resource: { rid: string; self: string }, throughput: Throughput, timestamp: number): Offer {
    this.#offersMade += 1
    const offer = new Offer(offerRid(this.#offersMade), resource.rid, resource.self, throughput, timestamp)
    this.offers.set(offer.rid, offer)
    return offer
  }

  #deleteOffer(offer: Offer | undefined): void {
    if (offer !== undefined) this.offers.delete(offer.rid)
  }
}

function findByRid<Resource extends { rid: string }>(
  resources: ReadonlyMap<string, Resource>,
  rid: string
): Resource | undefined {
  for (const resource of resources.values()) {
    if (resource.rid === rid) return resource
  }
  return undefined
}

/** A database and its containers. */
export class Database {
  readonly id: string
  readonly rid: string
  readonly self: string
  readonly number: number
  readonly containers: Map<string, Container> = new Map()
  readonly #timestamp: number
  #containersMade = 0
  offer: Offer | undefined = undefined

  constructor(id: string, rid: string, number: number, timestamp: number) {
    this.id = id
    this.rid = rid
    this.self = `dbs/${rid}/`
    this.number = number
    this.#timestamp = timestamp
  }

  get etag(): string {
    return `"${this.number.toString(16).padStart(8, '0')}-0000-0000-0000-${this.#timestamp.toString(16)}0000"`
  }

  nextContainerNumber(): number {
    this.#containersMade += 1
    return this.#containersMade
  }

  toJson(): Record<string, unknown> {
    return {
      id: this.id,
      _rid: this.rid,
      _self: this.self,
      _etag: this.etag,
      _ts: this.#timestamp,
      _colls: 'colls/',
      _users: 'users/'
    }
  }
}
