/** One write that was applied, in the order of `sequence`. */
export interface AppliedWrite {
  readonly sequence: number
  readonly database: string
  readonly container: string
  /** The partition key as a JSON array; `{}` in it is an absent value. */
  readonly partitionKey: string
  readonly id: string
  readonly operation: string
  readonly range: string
  readonly lsn: number
  readonly etag: string | undefined
  readonly activityId: string
  readonly atMs: number
}

/** Keeps the newest applied writes, oldest first. */
export class OperationLog {
  readonly #capacity: number
  #entries: AppliedWrite[] = []
  #sequence = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get isOn(): boolean {
    return this.#capacity > 0
  }

  append(write: Omit<AppliedWrite, 'sequence'>): void {
    this.#sequence += 1
    this.#entries.push({ sequence: this.#sequence, ...write })
    // cut seldom: each cut copies the kept part
    if (this.#entries.length >= this.#capacity * 2) this.#entries = this.#entries.slice(-this.#capacity)
  }

  /** The kept writes that match every named property, oldest first. */
  read(filter: Partial<Pick<AppliedWrite, 'database' | 'container' | 'partitionKey' | 'id' | 'range'>> = {}): AppliedWrite[] {
    const wanted = Object.entries(filter).filter(([, value]) => value !== undefined)
    const kept = this.#entries.slice(-Math.max(1, this.#capacity))
    return kept.filter((write) => wanted.every(([name, value]) => write[name as keyof AppliedWrite] === value))
  }

  clear(): void {
    this.#entries = []
  }
}
