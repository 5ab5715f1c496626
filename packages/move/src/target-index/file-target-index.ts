import { setImmediate as nextTurn } from 'node:timers/promises'
import { isKeystampError } from '@keystamp/core'
import type { TargetIndex } from '../copy/target-index.ts'
import type { Identity } from '../documents/identity.ts'
import { invalidJournal, RESTORE, unreadable, unwritable } from '../journal/journal-error.ts'
import { EntryLog, hasEntries, SEGMENT_BYTES } from './entry-log.ts'
import { bytesOfRecord, type EntryRecord, RECORD } from './entry-record.ts'
import { EntryTable } from './entry-table.ts'
import { hashOf, parseTargetText, targetText } from './target-text.ts'

export interface FileTargetIndexOptions {
  /** Bytes of a file of the log. */
  readonly segmentBytes?: number
  /** If true, an index without files is refused, because documents were copied already. Default: false. */
  readonly mustExist?: boolean
}

/**
 * Opens the identity index in a folder, which it creates. The folder belongs to a journal, whose lock protects it.
 * Throws JOURNAL_INVALID for damage. The entries are in a log on disk; a table in memory has their places.
 */
export function openFileTargetIndex(folder: string, options: FileTargetIndexOptions = {}): TargetIndex {
  const index = open(folder, options)
  return {
    find: (source) => index.find(source),
    add: (source, target) => index.add(source, target),
    remove: (source, target) => index.remove(source, target),
    sync: () => index.sync(),
    close: () => index.close()
  }
}

function open(
  folder: string,
  { segmentBytes = SEGMENT_BYTES, mustExist = false }: FileTargetIndexOptions
): FileTargetIndex {
  try {
    if (mustExist && !hasEntries(folder)) throw invalidJournal(`The identity index ${folder} is missing. ${RESTORE}`)
    return new FileTargetIndex(folder, segmentBytes)
  } catch (error) {
    throw isKeystampError(error) ? error : unreadable(`The identity index ${folder}`, error)
  }
}

interface Write {
  readonly written: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

class FileTargetIndex {
  readonly #folder: string
  readonly #segmentBytes: number
  readonly #log: EntryLog
  readonly #table: EntryTable = new EntryTable()
  /** Bytes of the records of all entries. */
  #liveBytes = 0
  /** Write at the end of this turn of the event loop. */
  #write: Write | undefined = undefined
  #failure: Error | undefined = undefined
  #cleaning: Promise<void> | undefined = undefined
  #isClosing = false

  constructor(folder: string, segmentBytes: number) {
    this.#folder = folder
    this.#segmentBytes = segmentBytes
    this.#log = new EntryLog(folder, segmentBytes)
    try {
      this.#log.replay((record, place) => this.#apply(record, place))
    } catch (error) {
      this.#log.close()
      throw error
    }
  }

  async find(source: Identity): Promise<readonly Identity[]> {
    const hash = hashOf(source)
    const places = this.#table.placesOf(hash)
    if (places.length === 0) return NONE
    return places
      .map((place) => this.#log.read(place))
      .filter((record) => record.hash === hash)
      .map(({ text }) => parseTargetText(source, text))
  }

  add(source: Identity, target: Identity): Promise<void> {
    return this.#change(() => {
      const record = { kind: RECORD.add, hash: hashOf(source), text: targetText(source, target) }
      if (this.#find(record) !== undefined) return
      this.#insert(record.hash, this.#append(record), bytesOfRecord(record.text))
    })
  }

  remove(source: Identity, target: Identity): Promise<void> {
    return this.#change(() => {
      const record = { kind: RECORD.remove, hash: hashOf(source), text: targetText(source, target) }
      const found = this.#find(record)
      if (found === undefined) return
      this.#append(record)
      this.#forget(found)
    })
  }

  async sync(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    try {
      await this.#log.sync()
    } catch (cause) {
      throw this.#fail(cause)
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#cleaning
    this.#flush()
    this.#failure ??= new Error('The identity index is closed.')
    this.#log.close()
  }

  /** Rejects, or resolves when all records so far are written. */
  #change(run: () => void): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    try {
      run()
    } catch (cause) {
      return Promise.reject(this.#fail(cause))
    }
    return this.#write === undefined ? WRITTEN : this.#write.written
  }

  #find({ hash, text }: NewRecord): Found | undefined {
    for (const place of this.#table.placesOf(hash)) {
      const record = this.#log.read(place)
      if (record.hash === hash && record.text === text) return { place, record }
    }
    return undefined
  }

  #append(record: NewRecord): number {
    const place = this.#log.append(record)
    this.#write ??= this.#nextWrite()
    return place
  }

  #insert(hash: string, place: number, size: number): void {
    this.#table.insert(hash, place)
    this.#liveBytes += size
  }

  #forget({ place, record }: Found): void {
    this.#table.remove(record.hash, place)
    this.#liveBytes -= record.size
  }

  #apply(record: EntryRecord, place: number): void {
    const found = this.#find(record)
    // while the log was cleaned, an entry may have been copied to a later place
    if (found !== undefined) this.#forget(found)
    if (record.kind === RECORD.add) this.#insert(record.hash, place, record.size)
  }

  #nextWrite(): Write {
    let resolve: () => void
    let reject: (error: unknown) => void
    const written = new Promise<void>((done, fail) => {
      resolve = done
      reject = fail
    })
    // a write of the cleaning has no other reader
    written.catch(() => undefined)
    setImmediate(() => this.#flush())
    return { written, resolve: resolve!, reject: reject! }
  }

  #flush(): void {
    const write = this.#write
    this.#write = undefined
    if (write === undefined) return
    try {
      if (this.#failure !== undefined) throw this.#failure
      this.#log.flush()
      write.resolve()
      if (this.#isDue()) this.#cleaning ??= this.#clean()
    } catch (cause) {
      write.reject(this.#fail(cause))
    }
  }

  /** Whether the disk has more than twice the bytes of the entries. */
  #isDue(): boolean {
    return !this.#isClosing && this.#log.bytes > 2 * (this.#liveBytes + this.#segmentBytes)
  }

  async #clean(): Promise<void> {
    try {
      while (this.#isDue() && this.#failure === undefined) await this.#cleanOldest()
    } catch (cause) {
      this.#fail(cause)
    }
    this.#cleaning = undefined
  }

  /** Copies the entries of the oldest segment to the end of the log, and removes the segment. */
  async #cleanOldest(): Promise<void> {
    let bytes = 0
    for (const records of this.#log.oldest()) {
      for (const { record, place } of records) {
        bytes += record.size
        // a removal in the oldest segment removed an entry of the same segment, or of an older one
        if (record.kind === RECORD.add && this.#table.placesOf(record.hash).includes(place))
          this.#table.move(record.hash, place, this.#append(record))
      }
      if (bytes < TURN_BYTES) continue
      bytes = 0
      await nextTurn()
      if (this.#isClosing || this.#failure !== undefined) return
    }
    await this.#log.sync()
    this.#log.removeOldest()
  }

  #fail(cause: unknown): Error {
    this.#failure ??= isKeystampError(cause) ? cause : unwritable(`The identity index ${this.#folder}`, cause)
    return this.#failure
  }
}

type NewRecord = Omit<EntryRecord, 'size'>

interface Found {
  readonly place: number
  readonly record: EntryRecord
}

// many more than are added in a turn, so that cleaning is faster than adding
const TURN_BYTES = 256 << 10

const NONE: readonly Identity[] = []
const WRITTEN = Promise.resolve()
