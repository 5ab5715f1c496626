import type { Container } from './container.ts'
import type { Offer } from './offer.ts'

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
