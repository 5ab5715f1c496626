import type { OperationType } from './item-operation.ts'

/** One applied write; `sequence` gives the order. */
export interface AppliedWrite {
  readonly sequence: number
  readonly database: string
  readonly container: string
  /** The partition key as a JSON array, in which `{}` is an absent value. */
  readonly partitionKey: string
  readonly id: string
  readonly operation: OperationType
  readonly range: string
  readonly lsn: number
  readonly etag: string | undefined
  readonly activityId: string
  readonly atMs: number
}

/** Container of a write, which formats the ETag. */
export interface LoggedContainer {
  readonly database: string
  readonly id: string
  readonly itemEtag: (version: number, timestamp: number) => string
}

/** Keeps the newest applied writes, oldest first. */
export class OperationLog {
  readonly #capacity: number
  #entries: LoggedWrite[] = []
  #sequence = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get isOn(): boolean {
    return this.#capacity > 0
  }

  append(write: LoggedWrite): void {
    this.#sequence += 1
    write.sequence = this.#sequence
    this.#entries.push(write)
    // truncated rarely, since truncating copies the kept part
    if (this.#entries.length >= this.#capacity * 2) this.#entries = this.#entries.slice(-this.#capacity)
  }

  /** The kept writes that match every named property, oldest first. */
  read(
    filter: Partial<Pick<AppliedWrite, 'database' | 'container' | 'partitionKey' | 'id' | 'range'>> = {}
  ): AppliedWrite[] {
    const wanted = Object.entries(filter).filter(([, value]) => value !== undefined)
    const kept = this.#entries.slice(-Math.max(1, this.#capacity)).map(toAppliedWrite)
    return kept.filter((write) => wanted.every(([name, value]) => write[name as keyof AppliedWrite] === value))
  }

  clear(): void {
    this.#entries = []
  }
}

/** A write as stored in the log. Its strings are formatted only when they are read, since few entries are read. */
export interface LoggedWrite {
  /** Set by the log. */
  sequence: number
  readonly container: LoggedContainer
  readonly keyText: string
  readonly id: string
  readonly operation: OperationType
  readonly range: string
  readonly lsn: number
  /** 0 for a delete. */
  readonly version: number
  readonly timestamp: number
  readonly activityId: string
  readonly atMs: number
}

function toAppliedWrite(write: LoggedWrite): AppliedWrite {
  const { sequence, container, keyText, id, operation, range, lsn, version, timestamp, activityId, atMs } = write
  return {
    sequence,
    database: container.database,
    container: container.id,
    partitionKey: `[${keyText}]`,
    id,
    operation,
    range,
    lsn,
    etag: version === 0 ? undefined : container.itemEtag(version, timestamp),
    activityId,
    atMs
  }
}
