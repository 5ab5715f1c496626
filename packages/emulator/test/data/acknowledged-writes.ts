import { type PlainAnswer, send } from './plain-client.ts'

/** An item as a client knows it by an answer. */
export interface Known {
  readonly etag: string
  readonly lsn: number
  readonly n: number
}

/** One lane of a workload: it writes to a key of its own, one request after the other, and remembers the answers. */
export class Lane {
  readonly key: string
  readonly items: Map<string, Known> = new Map()
  /** The changes that were answered, in their order: the id, and the number in the item, or `deleted`. Those of a batch are sorted. */
  readonly changes: string[] = []
  /** The changes of the request that has no answer: they were all applied, or none of them. */
  unanswered: readonly Planned[] = []
  readonly #path: string
  readonly #random: () => number
  #n = 0

  constructor(path: string, key: string, random: () => number) {
    this.#path = path
    this.key = key
    this.#random = random
  }

  /** Sends random writes until the emulator does not answer. */
  async run(endpoint: () => string, isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      const planned = this.#plan()
      this.unanswered = planned
      const answer = await this.#send(endpoint(), planned).catch(() => undefined)
      if (answer === undefined) return
      this.unanswered = []
      this.#note(planned, answer)
    }
  }

  #plan(): Planned[] {
    const count = this.#random() < 0.3 ? 2 + Math.floor(this.#random() * 3) : 1
    const ids = new Set(Array.from({ length: count }, () => `i${Math.floor(this.#random() * 6)}`))
    return [...ids].map((id) => {
      const isDelete = this.items.has(id) && this.#random() < 0.2
      return { id, n: isDelete ? undefined : ++this.#n, size: Math.floor(this.#random() ** 3 * 60_000) }
    })
  }

  #send(endpoint: string, planned: readonly Planned[]): Promise<PlainAnswer> {
    const path = `${this.#path}/docs`
    const key = [this.key]
    if (planned.length > 1) {
      const body = planned.map(({ id, n, size }) =>
        n === undefined
          ? { operationType: 'Delete', id }
          : { operationType: 'Upsert', resourceBody: this.#document(id, n, size) }
      )
      const headers = { 'x-ms-cosmos-is-batch-request': 'true', 'x-ms-cosmos-batch-atomic': 'true' }
      return send(endpoint, 'POST', path, { key, headers, body })
    }
    const [{ id, n, size }] = planned
    if (n === undefined) return send(endpoint, 'DELETE', `${path}/${id}`, { key })
    const headers = { 'x-ms-documentdb-is-upsert': 'true' }
    return send(endpoint, 'POST', path, { key, headers, body: this.#document(id, n, size) })
  }

  #document(id: string, n: number, size: number): object {
    return { id, pk: this.key, n, text: 'x'.repeat(size) }
  }

  #note(planned: readonly Planned[], answer: PlainAnswer): void {
    // a range that is being split or merged refuses writes for a moment
    if (answer.status === 410) return
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
    const lsn = Number(answer.headers.get('lsn'))
    this.#record(planned)
    for (const [at, { id, n }] of planned.entries()) {
      const etag = planned.length > 1 ? String(answer.body[at].eTag) : answer.headers.get('etag')!
      if (n === undefined) this.items.delete(id)
      else this.items.set(id, { etag, lsn, n })
    }
  }

  /** Compares the items with those of the emulator, and takes over an unanswered request that was applied. */
  settle(found: ReadonlyMap<string, Known>): void {
    const planned = this.unanswered
    this.unanswered = []
    const isApplied = planned.map(({ id, n }) => found.get(id)?.n === n)
    if (planned.length > 0 && isApplied.every(Boolean)) {
      for (const { id, n } of planned) {
        if (n === undefined) this.items.delete(id)
        else this.items.set(id, found.get(id)!)
      }
      this.#record(planned)
    }
  }

  #record(planned: readonly Planned[]): void {
    this.changes.push(...planned.map(({ id, n }) => `${id} ${n ?? 'deleted'}`).toSorted())
  }
}

interface Planned {
  readonly id: string
  /** Undefined for a delete. */
  readonly n: number | undefined
  readonly size: number
}
