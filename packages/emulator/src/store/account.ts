import type { Throughput } from '../charge/throughput.ts'
import { ServiceError } from '../service-error.ts'
import type { ContainerDefinition } from './container-definition.ts'
import { Container, type ContainerState } from './container.ts'
import type { Journal } from './journal.ts'
import { Offer, type OfferState } from './offer.ts'
import { containerRid, databaseRid, offerRid, resourceEtag } from './resource-id.ts'
import { Users, type UsersState } from './user.ts'

/** All stored resources: databases, their containers, and the offers of both. */
export class Account {
  readonly databases: Map<string, Database> = new Map()
  readonly offers: Map<string, Offer> = new Map()
  #databasesMade = 0
  #containersMade = 0
  #offersMade = 0
  #journal: Journal | undefined = undefined

  /** Receives the changes of this account; undefined without a data folder. */
  get journal(): Journal | undefined {
    return this.#journal
  }

  set journal(journal: Journal | undefined) {
    this.#journal = journal
    for (const container of this.containers()) container.journal = journal
  }

  /** The containers of all databases. */
  *containers(): Generator<Container> {
    for (const database of this.databases.values()) yield* database.containers.values()
  }

  createDatabase(id: string, throughput: Throughput | undefined, timestamp: number): Database {
    if (this.databases.has(id))
      throw new ServiceError(409, `Resource with specified id or name already exists: the database '${id}'.`)
    this.#databasesMade += 1
    const database = new Database(id, databaseRid(this.#databasesMade), this.#databasesMade, timestamp)
    this.databases.set(id, database)
    if (throughput !== undefined) database.offer = this.#createOffer(database, throughput, timestamp)
    this.#journal?.resource({ kind: 'createDatabase', id, throughput, timestamp })
    return database
  }

  deleteDatabase(database: Database): void {
    for (const container of database.containers.values()) this.#deleteOffer(container.offer)
    this.#deleteOffer(database.offer)
    this.databases.delete(database.id)
    this.#journal?.resource({ kind: 'deleteDatabase', id: database.id })
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
    container.journal = this.#journal
    database.containers.set(id, container)
    if (how.throughput !== undefined) container.offer = this.#createOffer(container, how.throughput, how.timestamp)
    this.#journal?.resource({ kind: 'createContainer', database: database.id, definition, ...how })
    return container
  }

  changeContainer(container: Container, definition: ContainerDefinition, timestamp: number): void {
    container.change(definition, timestamp)
    this.#journal?.resource({ kind: 'changeContainer', database: container.database, definition, timestamp })
  }

  deleteContainer(database: Database, container: Container): void {
    this.#deleteOffer(container.offer)
    database.containers.delete(container.id)
    this.#journal?.resource({ kind: 'deleteContainer', database: database.id, id: container.id })
  }

  changeOffer(offer: Offer, throughput: Throughput, timestamp: number): void {
    offer.change(throughput, timestamp)
    this.#journal?.resource({ kind: 'offer', state: offer.state() })
  }

  /** Notes that the throughput of single ranges of a container was changed. */
  noteThroughput(container: Container): void {
    if (container.offer !== undefined) this.#journal?.resource({ kind: 'offer', state: container.offer.state() })
    this.#journal?.resource({ kind: 'ranges', container: container.number, state: container.ranges.state() })
  }

  /** Marks an offer as pending while ranges are split for it. */
  setPending(offer: Offer, isPending: boolean): void {
    if (offer.isReplacePending === isPending) return
    offer.isReplacePending = isPending
    this.#journal?.resource({ kind: 'offer', state: offer.state() })
  }

  /** The state that a data folder keeps, without the items. */
  state(): AccountState {
    return {
      databasesMade: this.#databasesMade,
      containersMade: this.#containersMade,
      offersMade: this.#offersMade,
      offers: [...this.offers.values()].map((offer) => offer.state()),
      databases: [...this.databases.values()].map((database) => database.state())
    }
  }

  /** Takes over a state that `state` returned; the account must be empty. */
  restore(state: AccountState): void {
    for (const one of state.offers) {
      const offer = new Offer(one.rid, one.resourceRid, one.resourceSelf, one.throughput, one.timestamp)
      offer.restore(one)
      this.offers.set(one.rid, offer)
    }
    const offers = new Map([...this.offers.values()].map((offer) => [offer.resourceRid, offer]))
    for (const one of state.databases) {
      const database = new Database(one.id, one.rid, one.number, one.timestamp)
      database.restore(one, offers)
      this.databases.set(one.id, database)
    }
    this.#databasesMade = state.databasesMade
    this.#containersMade = state.containersMade
    this.#offersMade = state.offersMade
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

/** State of an account in a data folder. */
export interface AccountState {
  readonly databasesMade: number
  readonly containersMade: number
  readonly offersMade: number
  readonly offers: readonly OfferState[]
  readonly databases: readonly DatabaseState[]
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

/** A database, its containers and its users. */
export class Database {
  readonly id: string
  readonly rid: string
  readonly self: string
  readonly number: number
  readonly containers: Map<string, Container> = new Map()
  readonly users: Users
  readonly #timestamp: number
  #containersMade = 0
  offer: Offer | undefined = undefined

  constructor(id: string, rid: string, number: number, timestamp: number) {
    this.id = id
    this.rid = rid
    this.self = `dbs/${rid}/`
    this.number = number
    this.users = new Users(number, this.self)
    this.#timestamp = timestamp
  }

  get etag(): string {
    return resourceEtag(this.number, this.#timestamp)
  }

  /** The state that a data folder keeps. */
  state(): DatabaseState {
    const { id, rid, number } = this
    const containers = [...this.containers.values()].map((container) => container.state())
    const users = this.users.state()
    return { id, rid, number, timestamp: this.#timestamp, containersMade: this.#containersMade, containers, users }
  }

  /** Takes over the containers of a state that `state` returned, and the offers of their resource ids. */
  restore(state: DatabaseState, offers: ReadonlyMap<string, Offer>): void {
    this.offer = offers.get(this.rid)
    this.#containersMade = state.containersMade
    if (state.users !== undefined) this.users.restore(state.users)
    for (const one of state.containers) {
      const identity = { ...one, database: this.id, databaseSelf: this.self }
      const container = new Container(identity, one.definition, one.ranges.ranges.length)
      container.restore(one)
      container.offer = offers.get(one.rid)
      this.containers.set(container.id, container)
    }
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

/** State of a database in a data folder. */
export interface DatabaseState {
  readonly id: string
  readonly rid: string
  readonly number: number
  readonly timestamp: number
  /** Undefined in folders that were written before databases had users. */
  readonly users?: UsersState
  readonly containersMade: number
  readonly containers: readonly ContainerState[]
}
